package placement

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// The operators and effects that the API server takes.
var (
	operators = []corev1.TolerationOperator{"", corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpLt, corev1.TolerationOpGt}
	effects   = []corev1.TaintEffect{"", corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute}
)

// checkTolerations holds each entry against the API's validation.
func checkTolerations(d decoded, fields *yaml.Node) *fault {
	list := tree.Lookup(fields, "tolerations")
	for i, t := range d.Tolerations {
		if d.isOpen(t) {
			continue
		}
		if err := checkToleration(t); err != nil {
			at := "tolerations[" + itoa(i) + "]"
			return &fault{node: tree.Lookup(list, itoa(i)), path: at, message: at + ": " + err.Error()}
		}
	}
	return nil
}

// checkToleration holds an entry against the API's validation, as far as it changes what is tolerated.
func checkToleration(t corev1.Toleration) error {
	if unresolved(t.Key) || unresolved(string(t.Operator)) || unresolved(string(t.Effect)) {
		return nil
	}
	if !slices.Contains(operators, t.Operator) {
		return fmt.Errorf("operator %q is none of Equal and Exists; operators are case-sensitive", t.Operator)
	}
	if !slices.Contains(effects, t.Effect) {
		return fmt.Errorf("effect %q is none of NoSchedule, PreferNoSchedule and NoExecute; effects are case-sensitive", t.Effect)
	}
	if t.Operator == corev1.TolerationOpLt || t.Operator == corev1.TolerationOpGt {
		return fmt.Errorf("operator %s is alpha: the API server refuses it where the feature gate TaintTolerationComparisonOperators is not on", t.Operator)
	}
	return checkTolerated(t)
}

// checkTolerated holds key, value and seconds against the operator and the effect.
func checkTolerated(t corev1.Toleration) error {
	exists := t.Operator == corev1.TolerationOpExists
	switch {
	case t.Key != "" && len(validation.IsQualifiedName(t.Key)) > 0:
		return fmt.Errorf("key %q is no qualified name, [prefix/]name; the API server refuses it", t.Key)
	case t.Key == "" && !exists:
		return errors.New("an entry without a key needs operator: Exists; the API server refuses it otherwise")
	case exists && t.Value != "":
		return errors.New("operator Exists takes no value; the API server refuses it")
	case !unresolved(t.Value) && len(validation.IsValidLabelValue(t.Value)) > 0:
		return fmt.Errorf("value %q is no label value; the API server refuses it", t.Value)
	case t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute:
		return errors.New("tolerationSeconds needs effect: NoExecute; the API server refuses it otherwise")
	}
	return nil
}
