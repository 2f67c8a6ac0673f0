package toleration

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// readLine reads Longhorn's line of tolerations, key=value:Effect;key:Effect. A part without a value tolerates any; a
// part without an effect, any effect (longhorn-manager, types.UnmarshalTolerations).
func readLine(node *yaml.Node) ([]entry, error) {
	if tree.IsNull(node) {
		return nil, nil
	}
	if node.Kind != yaml.ScalarNode {
		return nil, &fault{node, fmt.Sprintf("is %s; Longhorn wants text such as key=value:NoSchedule;key:NoExecute", tree.Describe(node))}
	}
	var entries []entry
	for _, part := range strings.Split(strings.TrimSpace(node.Value), ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		e := entry{node: node, unresolved: strings.Contains(part, "${")}
		left, effect, colon := strings.Cut(part, ":")
		key, value, equal := strings.Cut(left, "=")
		if !colon && !e.unresolved {
			return nil, &fault{node, fmt.Sprintf("%q is no toleration of Longhorn's; it wants key=value:Effect or key:Effect, with a semicolon between two", part)}
		}
		e.Key, e.Value, e.Effect, e.Operator = key, value, corev1.TaintEffect(effect), corev1.TolerationOpExists
		if equal {
			e.Operator = corev1.TolerationOpEqual
		}
		if err := e.check(); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// lineOf completes the line.
func lineOf(node *yaml.Node, add []v1alpha1.Taint) *yaml.Node {
	var parts []string
	if node != nil {
		if text := strings.Trim(strings.TrimSpace(node.Value), ";"); text != "" {
			parts = append(parts, text)
		}
	}
	for _, taint := range add {
		parts = append(parts, taint.String())
	}
	out := tree.Text(strings.Join(parts, ";"))
	if node != nil && node.Style != 0 {
		out.Style = node.Style
	}
	return out
}
