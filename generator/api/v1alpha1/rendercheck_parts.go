package v1alpha1

import "github.com/berth-dev/berth/generator/api/strict"

// CheckedVariables says what holds for an environment's variables.
type CheckedVariables struct {
	// ConfigMap is the name of the ConfigMap that holds them.
	ConfigMap string `json:"configMap" jsonschema:"minLength=1"`
	// SetByEveryEnvironment are variables whose value must stand below the environment's own folder: one that is inherited
	// from the base is the value of another network.
	SetByEveryEnvironment []string `json:"setByEveryEnvironment,omitempty" jsonschema:"uniqueItems=true"`
	// Placeholders are values, exact or with *, that stand for a decision that is not made yet. Default: TBD-*.
	Placeholders []string `json:"placeholders,omitempty" jsonschema:"uniqueItems=true"`
	// Rules are constraints over the variables.
	Rules []VariableRule `json:"rules,omitempty"`
}

// VariableRule is a constraint over an environment's variables.
type VariableRule struct {
	// Name tells one rule from another in the report.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Expr is a CEL expression that must be true. vars holds the variables as strings. Besides CEL's own functions there are
	// those of Kubernetes for addresses, ip() and cidr(), and ip(a).between(ip(b), ip(c)), ends included.
	Expr string `json:"expr" jsonschema:"minLength=1"`
	// Message says why the rule holds.
	Message string `json:"message" jsonschema:"pattern=\\S"`
}

// RuntimeCRD is a controller's habit of making CRDs when it meets an object.
type RuntimeCRD struct {
	// MadeBy is the object that makes the controller do so.
	MadeBy KindRef `json:"madeBy"`
	// Kinds are the kinds that exist from then on, as Kind.group, such as DataVolume.cdi.kubevirt.io.
	Kinds []string `json:"kinds" jsonschema:"minItems=1,uniqueItems=true"`
}

// KindRef names a kind, and one object of it where a name is given.
type KindRef struct {
	// APIVersion, such as cdi.kubevirt.io/v1beta1. Only its group counts.
	APIVersion string `json:"apiVersion" jsonschema:"minLength=1"`
	// Kind, such as CDI.
	Kind string `json:"kind" jsonschema:"pattern=^[A-Z][A-Za-z0-9]*$"`
	// Name of the object. Left out, any object of the kind is meant.
	Name string `json:"name,omitempty"`
}

// GeneratedPath is a folder that berth generate wrote.
type GeneratedPath struct {
	// Path is the folder, as it was given to --output.
	Path string `json:"path" jsonschema:"minLength=1"`
	// From are the kustomization folders, as they were given to --from.
	From []string `json:"from,omitempty" jsonschema:"uniqueItems=true"`
	// Intents are the files with the TaintIntents and DevicePlugins, as they were given to berth generate.
	Intents []string `json:"intents" jsonschema:"minItems=1,uniqueItems=true"`
	// NodesFrom are files with TaintIntents that only know the nodes, as they were given to --intent.
	NodesFrom []string `json:"nodesFrom,omitempty" jsonschema:"uniqueItems=true"`
}

// IgnoredFinding is a finding that is known and accepted until a day.
type IgnoredFinding struct {
	// Code of the finding.
	Code string `json:"code" jsonschema:"minLength=1"`
	// Path is the file of the finding, or a folder above it. Left out, any file is meant.
	Path string `json:"path,omitempty"`
	// Object is the finding's object as the report prints it, such as Deployment plex/plex, exact or with *. Left out, any
	// object is meant.
	Object string `json:"object,omitempty"`
	// Reason says why it is accepted.
	Reason string `json:"reason" jsonschema:"pattern=\\S"`
	// Until is the last day on which it is, such as 2027-01-31. From the day after, the finding counts again.
	Until strict.Date `json:"until" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
}
