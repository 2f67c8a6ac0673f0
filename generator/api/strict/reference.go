package strict

import "go.yaml.in/yaml/v3"

const writeItOut = ": kustomize and kpt expand references differently, so write the value out"

// refuseReferences finds anchors, aliases and merge keys. An alias is never followed, so that one which holds itself, or a
// thousand others, costs nothing.
func (d *decoder) refuseReferences(path string, node *yaml.Node) {
	if node.Anchor != "" {
		d.fail(path, node, "the anchor &"+node.Anchor+" is not supported here"+writeItOut)
	}
	switch node.Kind {
	case yaml.AliasNode:
		d.fail(path, node, "the alias *"+node.Value+" is not supported here"+writeItOut)
	case yaml.SequenceNode:
		for i, item := range node.Content {
			d.refuseReferences(Item(path, i), item)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			d.refuseInEntry(path, node.Content[i], node.Content[i+1])
		}
	}
}

func (d *decoder) refuseInEntry(path string, key, value *yaml.Node) {
	if key.ShortTag() == "!!merge" {
		d.fail(path, key, "the merge key << is not supported here"+writeItOut)
		return
	}
	d.refuseReferences(path, key)
	d.refuseReferences(Child(path, key.Value), value)
}
