package v1alpha1

// GroupVersion is the apiVersion of every Berth kind.
const GroupVersion = "berth.dev/v1alpha1"

// TypeMeta names a kind, as in every Kubernetes object.
type TypeMeta struct {
	// APIVersion is berth.dev/v1alpha1.
	APIVersion string `json:"apiVersion" jsonschema:"enum=berth.dev/v1alpha1"`
	// Kind says which of Berth's kinds the object is.
	Kind string `json:"kind"`
}

// ObjectMeta is the part of Kubernetes' object metadata that a local file has a use for.
type ObjectMeta struct {
	// Name tells one intent from another. A DNS-1123 label: lower-case, no dots, at most 63 characters.
	Name string `json:"name" jsonschema:"maxLength=63,pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"`
	// Namespace is where the ConfigMaps that the function adds live. Default: kube-system.
	Namespace string `json:"namespace,omitempty" jsonschema:"default=kube-system,maxLength=63,pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"`
	// Labels are for the reader: Berth gives them no meaning.
	Labels map[string]string `json:"labels,omitempty"`
	// Annotations tell other tools how to treat the file, such as config.kubernetes.io/local-config: "true", which keeps
	// it out of the cluster.
	Annotations map[string]string `json:"annotations,omitempty"`
}
