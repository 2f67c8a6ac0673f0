package flux

import "github.com/berth-dev/berth/generator/finding"

// Reason says in one stable word what is wrong with a Kustomization.
type Reason string

// The reasons for which a Kustomization cannot be built, or not as a whole.
const (
	// NotDecodable: the object is not a valid Flux Kustomization.
	NotDecodable Reason = "not-decodable"
	// SourceNotAvailable: the folder comes from another repository, an OCI artifact or a bucket.
	SourceNotAvailable Reason = "source-not-available"
	// PathNotFound: spec.path names no folder of the checkout.
	PathNotFound Reason = "path-not-found"
	// BuildFailed: kustomize refuses the folder; the message is its own.
	BuildFailed Reason = "build-failed"
	// RemoteBase: a kustomization.yaml refers to a URL. What it would bring is missing from Objects.
	RemoteBase Reason = "remote-base"
	// RemoteFile: a kustomization.yaml takes a file from a URL, without which there is no build.
	RemoteFile Reason = "remote-file"
	// SubstituteFromMissing: nothing in the environment makes the ConfigMap of a substituteFrom that is not optional.
	SubstituteFromMissing Reason = "substitute-from-missing"
	// VariableUndefined: a variable has neither value nor default, which Flux 2.9 and later refuse.
	VariableUndefined Reason = "variable-undefined"
	// SubstitutionFailed: the text cannot be parsed as a template, or is no YAML after the replacement.
	SubstitutionFailed Reason = "substitution-failed"
)

// Problem is one thing that the controller would stumble over.
type Problem struct {
	Reason  Reason `json:"reason"`
	Message string `json:"message"`
	finding.Source
	// Object is the object of the Kustomization that has the problem; nil when it is the Kustomization itself.
	Object *Object `json:"-"`

	subject string
}

// String returns the reason and the message.
func (p Problem) String() string { return string(p.Reason) + ": " + p.Message }

// UnseenKind groups what cannot be seen.
type UnseenKind string

// What cannot be seen without a cluster, keys or network.
const (
	UnseenSource      UnseenKind = "source"       // a Kustomization's folder is elsewhere
	UnseenRemoteBase  UnseenKind = "remote-base"  // a kustomization.yaml refers to a URL, as a base or as a file
	UnseenChart       UnseenKind = "chart"        // a HelmRelease's chart is not rendered
	UnseenValues      UnseenKind = "values"       // values of a HelmRelease come from outside
	UnseenVariables   UnseenKind = "variables"    // variables come from a Secret or ConfigMap that is not in plain text in Git
	UnseenEncrypted   UnseenKind = "encrypted"    // an object is encrypted with SOPS
	UnseenResourceSet UnseenKind = "resource-set" // objects that flux-operator makes from a ResourceSet
)

// Unseen is something that would be applied or used, and that the checkout does not show.
type Unseen struct {
	Kind UnseenKind `json:"kind"`
	// Subject names it: Secret flux-system/cluster-secrets, https://github.com/a/b?ref=v1.
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
	// Kustomization is the one that it belongs to.
	Kustomization ID `json:"kustomization"`
	finding.Source
}
