package v1alpha1

import "k8s.io/apimachinery/pkg/util/validation"

// Validate checks a defaulted intent by the rules of the Kubernetes API and by its own. The error is a strict.Problems;
// it names lines when the intent was read from a file. Of an intent that was not decoded as a whole, what was is checked.
func (i *TaintIntent) Validate() error {
	v := &validator{collector: &collector{origin: i.origin}, intent: i}
	v.metadata()
	v.spec()
	v.taints()
	v.nodes()
	v.allow()
	v.deny()
	if v.origin.Trusted("spec.allow") && v.origin.Trusted("spec.deny") {
		v.workloadsTwice()
	}
	return v.problems.Err()
}

// validator collects the problems of one intent.
type validator struct {
	*collector
	intent *TaintIntent
}

func (v *validator) metadata() {
	meta := v.intent.Metadata
	v.name("intent", meta.Name)
	if v.resolved("metadata.namespace", meta.Namespace) {
		v.check("metadata.namespace", "the namespace", meta.Namespace, validation.IsDNS1123Label(meta.Namespace))
	}
	v.marks(meta.Labels, meta.Annotations)
}
