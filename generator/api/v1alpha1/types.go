package v1alpha1

import "github.com/berth-dev/berth/generator/api/strict"

// KindTaintIntent is the kind of a taints intent file.
const KindTaintIntent = "TaintIntent"

// TaintIntent declares which nodes are empty by default and which workloads may use them all the same.
type TaintIntent struct {
	TypeMeta `json:",inline"`
	// Metadata names the intent.
	Metadata ObjectMeta `json:"metadata"`
	// Spec is what the intent says.
	Spec TaintIntentSpec `json:"spec"`

	// origin says where each field was read from; nil for an object that was made in code.
	origin *strict.Index
}

// TaintIntentSpec is the body of a TaintIntent.
type TaintIntentSpec struct {
	// Distribution decides in which folder the configuration lives. Default: k3s.
	Distribution Distribution `json:"distribution,omitempty" jsonschema:"enum=k3s,enum=rke2,default=k3s"`
	// Disable lists packaged components that the distribution's own configuration disables (disable: in config.yaml), such
	// as coredns, because the render brings another one of the same name. Without it Berth refuses to edit an object of
	// that name: the distribution would write it anew at each start.
	Disable []string `json:"disable,omitempty" jsonschema:"uniqueItems=true"`
	// DropIn says how the taints are written into the node's configuration.
	DropIn DropIn `json:"dropIn,omitempty"`
	// Taints are the taints that nodes may carry, by a name of the intent's own.
	Taints []NamedTaint `json:"taints"`
	// Nodes lists every node of the cluster, each once; a node without taints is a default home.
	Nodes []NodeGroup `json:"nodes" jsonschema:"minItems=1"`
	// Allow lists the workloads that tolerate taints.
	Allow []Allow `json:"allow,omitempty"`
	// Deny lists the workloads that must stay off the tainted nodes, whatever they tolerate.
	Deny []Deny `json:"deny,omitempty"`
}

// NamedTaint is one taint under a name. Either taint, or key, value and effect.
type NamedTaint struct {
	// Name is what nodes[].taints and allow[].tolerate refer to. It is written as a label's value is.
	Name string `json:"name" jsonschema:"minLength=1,maxLength=63,pattern=^[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$"`
	// Taint is the short spelling, key=value:Effect or key:Effect.
	Taint string `json:"taint,omitempty" jsonschema:"pattern=^[-._/A-Za-z0-9]+(=[-._A-Za-z0-9]*)?:(NoSchedule|PreferNoSchedule|NoExecute)$"`
	// Key is a qualified name of your own, such as example.com/reserved. A controller's key is refused.
	Key string `json:"key,omitempty" jsonschema:"pattern=^([-.a-z0-9]+/)?[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$"`
	// Value is text of at most 63 characters, and may be left out. Quote what YAML would read as a number or a boolean.
	Value string `json:"value,omitempty" jsonschema:"maxLength=63,pattern=^([A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?)?$"`
	// Effect is what happens to pods without the toleration: NoSchedule keeps new ones away, PreferNoSchedule does so when
	// there is room elsewhere, NoExecute evicts those that run there too.
	Effect Effect `json:"effect,omitempty" jsonschema:"enum=NoSchedule,enum=PreferNoSchedule,enum=NoExecute"`
	// Label, key=value, is a label that every node with the taint has. The drop-in registers it, and an allow entry with
	// place draws its workload to it.
	Label string `json:"label,omitempty" jsonschema:"pattern=^([-.a-z0-9]+/)?[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?=([A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?)?$"`
	// Reason says why the taint exists.
	Reason string `json:"reason,omitempty"`
}

// NodeGroup is a set of nodes with the same taints.
type NodeGroup struct {
	// Names are registered node names: lower-case, as `kubectl get nodes` prints them.
	Names []string `json:"names" jsonschema:"minItems=1,uniqueItems=true"`
	// Taints are names from spec.taints.
	Taints []string `json:"taints,omitempty" jsonschema:"uniqueItems=true"`
	// Labels are further labels of these nodes, which the drop-in registers.
	Labels map[string]string `json:"labels,omitempty"`
}
