package placement

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// checkSelector holds the nodeSelector against the API's validation.
func checkSelector(d decoded, fields *yaml.Node) *fault {
	for _, key := range slices.Sorted(maps.Keys(d.NodeSelector)) {
		value := d.NodeSelector[key]
		wrong := ""
		switch {
		case !unresolved(key) && len(validation.IsQualifiedName(key)) > 0:
			wrong = fmt.Sprintf("nodeSelector: %q is no label; the API server refuses it", key)
		case !unresolved(value) && len(validation.IsValidLabelValue(value)) > 0:
			wrong = fmt.Sprintf("nodeSelector.%s: %q is no label value; the API server refuses it", key, value)
		}
		if wrong != "" {
			return &fault{node: tree.Lookup(fields, "nodeSelector", key), path: "nodeSelector", message: wrong}
		}
	}
	return nil
}

// checkAffinity holds the required node affinity against the API's validation (Kubernetes: pkg/apis/core/validation,
// ValidateNodeSelector).
func checkAffinity(d decoded, fields *yaml.Node) *fault {
	if d.Affinity == nil || d.Affinity.NodeAffinity == nil || d.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	const path = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
	required := tree.Lookup(fields, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
	terms := d.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	if len(terms) == 0 && len(d.open) == 0 {
		return &fault{node: required, path: path, message: "the required node affinity has no term; the API server refuses it"}
	}
	for i, t := range terms {
		list, k, wrong := checkTerm(t)
		if wrong != nil {
			at := fmt.Sprintf("nodeSelectorTerms[%d].%s[%d]", i, list, k)
			node := tree.Lookup(required, "nodeSelectorTerms", itoa(i), list, itoa(k))
			return &fault{node: node, path: path, message: at + ": " + wrong.Error() + "; the API server refuses it"}
		}
	}
	return nil
}

// checkTerm returns the first requirement that is wrong: its list, its index and what is wrong with it.
func checkTerm(t corev1.NodeSelectorTerm) (list string, index int, wrong error) {
	for i, r := range t.MatchExpressions {
		if err := checkExpression(r); err != nil {
			return "matchExpressions", i, err
		}
	}
	for i, r := range t.MatchFields {
		if err := checkField(r); err != nil {
			return "matchFields", i, err
		}
	}
	return "", 0, nil
}

// checkExpression does not ask whether the value of Gt and Lt is a number: neither does the API server.
func checkExpression(r corev1.NodeSelectorRequirement) error {
	if err := checkOperator(r); err != nil {
		return err
	}
	if !unresolved(r.Key) && len(validation.IsQualifiedName(r.Key)) > 0 {
		return fmt.Errorf("key %q is no label", r.Key)
	}
	for _, value := range r.Values {
		if !unresolved(value) && len(validation.IsValidLabelValue(value)) > 0 {
			return fmt.Errorf("%q is no label value", value)
		}
	}
	return nil
}

// checkOperator says whether the operator is one of labels, and the number of values is what it takes.
func checkOperator(r corev1.NodeSelectorRequirement) error {
	n := len(r.Values)
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if n == 0 {
			return fmt.Errorf("operator %s needs values", r.Operator)
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if n > 0 {
			return fmt.Errorf("operator %s takes no values", r.Operator)
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if n != 1 {
			return fmt.Errorf("operator %s needs one value", r.Operator)
		}
	default:
		if !unresolved(string(r.Operator)) {
			return fmt.Errorf("operator %q is none of In, NotIn, Exists, DoesNotExist, Gt and Lt; operators are case-sensitive", r.Operator)
		}
	}
	return nil
}

func checkField(r corev1.NodeSelectorRequirement) error {
	switch {
	case unresolved(r.Key) || unresolved(string(r.Operator)):
		return nil
	case r.Key != metav1.ObjectNameField:
		return fmt.Errorf("the field %q is not metadata.name, the only one there is", r.Key)
	case r.Operator != corev1.NodeSelectorOpIn && r.Operator != corev1.NodeSelectorOpNotIn:
		return fmt.Errorf("operator %q is none of In and NotIn, which are those for fields", r.Operator)
	case len(r.Values) != 1:
		return fmt.Errorf("operator %s needs one value for a field", r.Operator)
	}
	return nil
}
