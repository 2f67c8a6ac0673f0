package tree

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Reach returns how many steps of a path exist in a tree, and an error when the next one cannot: the place is held by
// something that is no mapping, or by a list that is too short. A null counts as missing.
func Reach(root *yaml.Node, path Path) (int, error) {
	node := Resolve(root)
	for i, step := range path {
		next := child(node, step)
		if next == nil || IsNull(next) {
			if node.Kind != yaml.MappingNode {
				return i, fmt.Errorf("%s is %s, so it has no %s", place(path[:i]), Describe(node), step)
			}
			return i, nil
		}
		node = next
	}
	return len(path), nil
}

func place(path Path) string {
	if len(path) == 0 {
		return "the object"
	}
	return path.String()
}

// Set puts a value at a path and makes the mappings that lead there. It fails where Reach fails.
func Set(root *yaml.Node, path Path, value *yaml.Node) error {
	reached, err := Reach(root, path)
	if err != nil {
		return err
	}
	if reached == len(path) {
		reached--
	}
	setKey(Lookup(root, path[:reached]...), path[reached], Wrap(path[reached+1:], value))
	return nil
}

// Wrap returns the value inside the mappings that a path names, outermost first.
func Wrap(path Path, value *yaml.Node) *yaml.Node {
	for i := len(path) - 1; i >= 0; i-- {
		outer := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
		setKey(outer, path[i], value)
		value = outer
	}
	return value
}

func setKey(node *yaml.Node, key string, value *yaml.Node) {
	if node.Kind == yaml.SequenceNode {
		*child(node, key) = *value
		return
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			node.Content[i+1] = value
			return
		}
	}
	if len(node.Content) == 0 {
		node.Style &^= yaml.FlowStyle // {} becomes a block, since it is no longer empty
	}
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: key}
	node.Content = append(node.Content, name, value)
}

// IsNull says whether a node is missing, or null as YAML writes it.
func IsNull(node *yaml.Node) bool {
	return node == nil || (node.Kind == yaml.ScalarNode && node.ShortTag() == yaml.NodeTagNull)
}

// Describe names what a node is, for messages: a mapping, a list, the value "x".
func Describe(node *yaml.Node) string {
	node = Resolve(node)
	switch {
	case node == nil:
		return "nothing"
	case node.Kind == yaml.MappingNode:
		return "a mapping"
	case node.Kind == yaml.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("the value %q", node.Value)
}
