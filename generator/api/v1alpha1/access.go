package v1alpha1

// Workload selects objects of the render. Every field that is set must match.
type Workload struct {
	// APIVersion, such as apps/v1. Left out, it matches any.
	APIVersion string `json:"apiVersion,omitempty" jsonschema:"pattern=^([-.a-z0-9]+/)?v[0-9]+((alpha|beta)[0-9]+)?$"`
	// Kind, such as Deployment or HelmRelease.
	Kind string `json:"kind" jsonschema:"pattern=^[A-Z][A-Za-z0-9]*$"`
	// Namespace, exact or with *. Left out, it matches any namespace.
	Namespace string `json:"namespace,omitempty" jsonschema:"pattern=^[-*a-z0-9]+$"`
	// Name, exact or with *. Left out, it matches any name (labels must then be given).
	Name string `json:"name,omitempty" jsonschema:"pattern=^[-.*a-z0-9]+$"`
	// Labels that the object's metadata must carry, exactly.
	Labels map[string]string `json:"labels,omitempty"`
}

// Carrier says where in the matched object the pod's tolerations are written, for kinds that do not say so themselves.
type Carrier struct {
	// Helm names places in a HelmRelease. An allow entry for a HelmRelease needs it.
	Helm *Helm `json:"helm,omitempty"`
}

// Helm names places in a HelmRelease.
type Helm struct {
	// Values are dotted paths of toleration lists in spec.values, such as prometheus-node-exporter.tolerations.
	Values []string `json:"values" jsonschema:"minItems=1,uniqueItems=true"`
}

// Allow is one line of the allowlist.
type Allow struct {
	// Workload says which objects of the render are meant.
	Workload Workload `json:"workload"`
	Carrier  `json:",inline"`
	// Tolerate are names from spec.taints.
	Tolerate []string `json:"tolerate" jsonschema:"minItems=1,uniqueItems=true"`
	// Reason says why the workload may run there.
	Reason string `json:"reason" jsonschema:"pattern=\\S"`
	// Optional is for a workload that not every render holds: matching nothing is then no error.
	Optional bool `json:"optional,omitempty"`
}

// Deny is a decision that a workload does not run on any node that this intent taints.
type Deny struct {
	// Workload says which objects of the render are meant.
	Workload Workload `json:"workload"`
	Carrier  `json:",inline"`
	// Reason says why it must stay away.
	Reason string `json:"reason" jsonschema:"pattern=\\S"`
	// Optional is for a workload that not every render holds: matching nothing is then no error.
	Optional bool `json:"optional,omitempty"`
}
