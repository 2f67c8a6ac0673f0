package v1alpha1

// Workload selects objects of the render. Every field that is set must match.
type Workload struct {
	// APIVersion, such as apps/v1. Left out, it matches any.
	APIVersion string `json:"apiVersion,omitempty" jsonschema:"pattern=^([-.a-z0-9]+/)?v[0-9]+((alpha|beta)[0-9]+)?$"`
	// Kind, such as Deployment or HelmRelease.
	Kind string `json:"kind" jsonschema:"pattern=^([A-Z][A-Za-z0-9]*|postgresql)$"`
	// Namespace, exact or with *. Left out, it matches any namespace.
	Namespace string `json:"namespace,omitempty" jsonschema:"pattern=^[-*a-z0-9]+$"`
	// Name, exact or with *. Left out, it matches any name (labels must then be given).
	Name string `json:"name,omitempty" jsonschema:"pattern=^[-.*a-z0-9]+$"`
	// Labels that the object's metadata must carry, exactly.
	Labels map[string]string `json:"labels,omitempty"`
}

// Allow is one line of the allowlist.
type Allow struct {
	// Workload says which objects of the render are meant. Only an entry with helmValues has none.
	Workload Workload `json:"workload,omitempty"`
	Carrier  `json:",inline"`
	// Tolerate are names from spec.taints.
	Tolerate []string `json:"tolerate" jsonschema:"minItems=1,uniqueItems=true"`
	// Place says whether the workload is drawn to the nodes with these taints, which a toleration alone does not do:
	// prefer adds a preferred node affinity on the taints' labels, require a required one. Left out, it adds none.
	Place Place `json:"place,omitempty" jsonschema:"enum=prefer,enum=require"`
	// Reason says why the workload may run there.
	Reason string `json:"reason" jsonschema:"pattern=\\S"`
	// Optional is for a workload that not every render holds: matching nothing is then no error.
	Optional bool `json:"optional,omitempty"`
}

// Deny is a decision that a workload does not run on any node that this intent taints.
type Deny struct {
	// Workload says which objects of the render are meant. Only an entry with helmValues has none.
	Workload Workload `json:"workload,omitempty"`
	Carrier  `json:",inline"`
	// Reason says why it must stay away.
	Reason string `json:"reason" jsonschema:"pattern=\\S"`
	// Optional is for a workload that not every render holds: matching nothing is then no error.
	Optional bool `json:"optional,omitempty"`
}

// Place is how strongly a workload is drawn to the nodes whose taints it tolerates.
type Place string

// The strengths of attraction.
const (
	Prefer  Place = "prefer"
	Require Place = "require"
)
