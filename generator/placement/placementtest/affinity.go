package placementtest

import (
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
)

var operators = []corev1.NodeSelectorOperator{
	corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist,
	corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt, "Nonsense",
}

// affinity makes a node affinity: some of its terms are empty, and some are not valid.
func affinity(r *rand.Rand, names []string) *corev1.Affinity {
	required := &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{}}
	for range 1 + r.IntN(2) {
		var t corev1.NodeSelectorTerm
		for range r.IntN(3) {
			t.MatchExpressions = append(t.MatchExpressions, expression(r, names))
		}
		if r.IntN(5) == 0 {
			field := corev1.NodeSelectorRequirement{Key: "metadata.name", Operator: pick(r, operators[:2]), Values: []string{pick(r, names)}}
			if r.IntN(6) == 0 {
				field.Values = append(field.Values, pick(r, names))
			}
			t.MatchFields = append(t.MatchFields, field)
		}
		required.NodeSelectorTerms = append(required.NodeSelectorTerms, t)
	}
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
}

func expression(r *rand.Rand, names []string) corev1.NodeSelectorRequirement {
	e := corev1.NodeSelectorRequirement{Key: pick(r, labelKeys), Operator: pick(r, operators)}
	if r.IntN(40) > 0 && e.Operator == "Nonsense" {
		e.Operator = corev1.NodeSelectorOpIn
	}
	values := labelValues
	if r.IntN(4) == 0 {
		e.Key, values = corev1.LabelHostname, names
	}
	switch e.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		for range 1 + r.IntN(3) {
			e.Values = append(e.Values, pick(r, values))
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		e.Values = []string{pick(r, []string{"5", "8", "8", "8", "many"})}
	}
	if r.IntN(25) == 0 {
		e.Values = nil // not valid for most operators
	}
	return e
}
