package tree

import "sigs.k8s.io/kustomize/kyaml/yaml"

// SpellNulls writes out the nulls that are written as nothing in flow style, such as {a: }, and as keys: the encoder would
// make empty strings of them (go.yaml.in/yaml/v3 v3.0.4).
func SpellNulls(node *yaml.Node) { spellNulls(node, false) }

func spellNulls(node *yaml.Node, spell bool) {
	if spell && node.Kind == yaml.ScalarNode && node.Value == "" && node.ShortTag() == yaml.NodeTagNull {
		node.Value, node.Style = "null", 0
	}
	inFlow := spell && node.Kind != yaml.DocumentNode || node.Style&yaml.FlowStyle != 0
	for i, child := range node.Content {
		key := node.Kind == yaml.MappingNode && i%2 == 0
		spellNulls(child, inFlow || key)
	}
}
