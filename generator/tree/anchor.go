package tree

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ExpandAnchors replaces aliases by what they stand for, and merge keys by what they merge. The library copies every mapping on
// the way, so that it is only asked where there is something to expand.
func ExpandAnchors(node *yaml.RNode) error {
	if !hasAnchors(node.YNode()) {
		return nil
	}
	if err := node.DeAnchor(); err != nil {
		return fmt.Errorf("anchors cannot be expanded: %w", err)
	}
	return nil
}

// mergeTag marks a merge key.
const mergeTag = "!!merge"

func hasAnchors(node *yaml.Node) bool {
	if node.Anchor != "" || node.Kind == yaml.AliasNode || node.Tag == mergeTag {
		return true
	}
	for _, child := range node.Content {
		if hasAnchors(child) {
			return true
		}
	}
	return false
}
