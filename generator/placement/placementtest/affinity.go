package placementtest

import (
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var operators = []corev1.NodeSelectorOperator{
	corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist,
	corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt,
}

// affinity makes a required node affinity, in which some terms are empty and some compare with what is no number.
func affinity(r *rand.Rand, names []string) *corev1.Affinity {
	var terms []corev1.NodeSelectorTerm
	for range 1 + r.IntN(2) {
		var t corev1.NodeSelectorTerm
		for range r.IntN(3) {
			t.MatchExpressions = append(t.MatchExpressions, expression(r, pick(r, operators), names))
		}
		if r.IntN(5) == 0 {
			t.MatchFields = append(t.MatchFields, nameField(pick(r, operators[:2]), pick(r, names)))
		}
		terms = append(terms, t)
	}
	return requires(terms...)
}

func requires(terms ...corev1.NodeSelectorTerm) *corev1.Affinity {
	required := &corev1.NodeSelector{NodeSelectorTerms: terms}
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
}

func nameField(operator corev1.NodeSelectorOperator, name string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: metav1.ObjectNameField, Operator: operator, Values: []string{name}}
}

func expression(r *rand.Rand, operator corev1.NodeSelectorOperator, names []string) corev1.NodeSelectorRequirement {
	e := corev1.NodeSelectorRequirement{Key: pick(r, labelKeys), Operator: operator}
	values := labelValues
	if r.IntN(4) == 0 {
		e.Key, values = corev1.LabelHostname, names
	}
	switch operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		for range 1 + r.IntN(3) {
			e.Values = append(e.Values, pick(r, values))
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		e.Values = []string{pick(r, []string{"5", "8", "8", "8", "many"})}
	}
	return e
}

// Pin binds a pod to one node without changing whether it may run there, as the DaemonSet controller does. An empty term
// holds nowhere and stays empty.
func Pin(spec *corev1.PodSpec, node string) {
	field := nameField(corev1.NodeSelectorOpIn, node)
	if spec.Affinity == nil {
		spec.Affinity = requires(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{field}})
		return
	}
	spec.Affinity = spec.Affinity.DeepCopy()
	terms := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	for i := range terms {
		if t := &terms[i]; len(t.MatchExpressions)+len(t.MatchFields) > 0 {
			t.MatchFields = append(t.MatchFields, field)
		}
	}
}
