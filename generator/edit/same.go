package edit

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// Same tells whether two trees mean the same, whatever their styles, their comments and the order of their keys.
func Same(a, b *yaml.Node) bool {
	a, b = tree.Resolve(a), tree.Resolve(b)
	if a == nil || b == nil || a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return a == b
	}
	switch a.Kind {
	case yaml.ScalarNode:
		return a.Value == b.Value && a.ShortTag() == b.ShortTag()
	case yaml.MappingNode:
		return sameFields(a, b)
	}
	for i := range a.Content {
		if !Same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

func sameFields(a, b *yaml.Node) bool {
	for i := 0; i+1 < len(a.Content); i += 2 {
		if other := tree.Lookup(b, a.Content[i].Value); other == nil || !Same(a.Content[i+1], other) {
			return false
		}
	}
	return true
}
