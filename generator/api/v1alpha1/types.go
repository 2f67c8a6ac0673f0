package v1alpha1

import "github.com/berth-dev/berth/generator/api/strict"

// GroupVersion is the apiVersion of every Berth kind.
const GroupVersion = "berth.dev/v1alpha1"

// KindTaintIntent is the kind of a taints intent file.
const KindTaintIntent = "TaintIntent"

// TypeMeta names a kind, as in every Kubernetes object.
type TypeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// ObjectMeta is the part of Kubernetes' object metadata that a local file has a use for.
type ObjectMeta struct {
	// Name tells one intent from another. A DNS-1123 subdomain of at most 63 characters.
	Name string `json:"name"`
	// Namespace is where the ConfigMaps that the function adds live. Default: kube-system.
	Namespace   string            `json:"namespace,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// TaintIntent declares which nodes are empty by default and which workloads may use them all the same.
type TaintIntent struct {
	TypeMeta `json:",inline"`
	Metadata ObjectMeta      `json:"metadata"`
	Spec     TaintIntentSpec `json:"spec"`

	// origin says where each field was read from; nil for an object that was made in code.
	origin *strict.Index
}

// TaintIntentSpec is the body of a TaintIntent.
type TaintIntentSpec struct {
	// Distribution decides in which folder the configuration lives. Default: k3s.
	Distribution Distribution `json:"distribution,omitempty"`
	// DropIn says how the taints are written into the node's configuration.
	DropIn DropIn `json:"dropIn,omitempty"`
	// Taints are the taints that nodes may carry, by a name of the intent's own.
	Taints []NamedTaint `json:"taints"`
	// Nodes lists every node of the cluster, each once; a node without taints is a default home.
	Nodes []NodeGroup `json:"nodes"`
	// Allow lists the workloads that tolerate taints.
	Allow []Allow `json:"allow,omitempty"`
	// Deny lists the workloads that must stay off the tainted nodes, whatever they tolerate.
	Deny []Deny `json:"deny,omitempty"`
}

// Distribution is a Kubernetes distribution that reads config.yaml.d.
type Distribution string

// The distributions that Berth writes drop-ins for.
const (
	K3s  Distribution = "k3s"
	RKE2 Distribution = "rke2"
)

// DropIn says how a node's taints are written into its configuration.
type DropIn struct {
	// FileName is the name inside config.yaml.d. k3s reads the folder in bytewise order. Default: 90-berth-taints.yaml.
	FileName string `json:"fileName,omitempty"`
	// Mode is append (node-taint+, the default) or own (node-taint, which replaces what earlier files say).
	Mode DropInMode `json:"mode,omitempty"`
}

// DropInMode is the way in which a drop-in treats the list that earlier files built.
type DropInMode string

// The drop-in modes.
const (
	Append DropInMode = "append"
	Own    DropInMode = "own"
)

// NamedTaint is one taint under a name. Either taint, or key, value and effect.
type NamedTaint struct {
	// Name is what nodes[].taints and allow[].tolerate refer to.
	Name string `json:"name"`
	// Taint is the short spelling, key=value:Effect or key:Effect.
	Taint  string `json:"taint,omitempty"`
	Key    string `json:"key,omitempty"`
	Value  string `json:"value,omitempty"`
	Effect Effect `json:"effect,omitempty"`
	// Reason says why the taint exists.
	Reason string `json:"reason,omitempty"`
}

// NodeGroup is a set of nodes with the same taints.
type NodeGroup struct {
	// Names are registered node names: lower-case, as `kubectl get nodes` prints them.
	Names []string `json:"names"`
	// Taints are names from spec.taints.
	Taints []string `json:"taints,omitempty"`
}

// Workload selects objects of the render. Every field that is set must match.
type Workload struct {
	// APIVersion, such as apps/v1. Optional.
	APIVersion string `json:"apiVersion,omitempty"`
	// Kind, such as Deployment or HelmRelease.
	Kind string `json:"kind"`
	// Namespace, exact or with *. Left out, it matches any namespace.
	Namespace string `json:"namespace,omitempty"`
	// Name, exact or with *. Left out, it matches any name (labels must then be given).
	Name string `json:"name,omitempty"`
	// Labels that the object's metadata must carry, exactly.
	Labels map[string]string `json:"labels,omitempty"`
}

// Carrier says where in the matched object the pod's tolerations are written, for kinds that do not say so themselves.
type Carrier struct {
	// Helm names places in a HelmRelease.
	Helm *Helm `json:"helm,omitempty"`
}

// Helm names places in a HelmRelease.
type Helm struct {
	// Values are dotted paths of toleration lists in spec.values, such as prometheus-node-exporter.tolerations.
	Values []string `json:"values,omitempty"`
}

// Allow is one line of the allowlist.
type Allow struct {
	Workload Workload `json:"workload"`
	Carrier  `json:",inline"`
	// Tolerate are names from spec.taints.
	Tolerate []string `json:"tolerate"`
	// Reason says why the workload may run there.
	Reason string `json:"reason"`
	// Optional is for a workload that not every render holds: matching nothing is then no error.
	Optional bool `json:"optional,omitempty"`
}

// Deny is a decision that a workload does not run on any node that this intent taints.
type Deny struct {
	Workload Workload `json:"workload"`
	Carrier  `json:",inline"`
	// Reason says why it must stay away.
	Reason string `json:"reason"`
	// Optional is for a workload that not every render holds: matching nothing is then no error.
	Optional bool `json:"optional,omitempty"`
}
