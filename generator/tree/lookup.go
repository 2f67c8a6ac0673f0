package tree

import (
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Lookup returns the node at a path, aliases resolved, or nil when the tree does not reach that far.
func Lookup(root *yaml.Node, path ...string) *yaml.Node {
	node := Resolve(root)
	for _, step := range path {
		if node = child(node, step); node == nil {
			return nil
		}
	}
	return node
}

// child returns a key's value or a list's item.
func child(node *yaml.Node, step string) *yaml.Node {
	switch {
	case node == nil:
		return nil
	case node.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == step {
				return Resolve(node.Content[i+1])
			}
		}
	case node.Kind == yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(node.Content) {
			return Resolve(node.Content[i])
		}
	}
	return nil
}

// Resolve follows aliases to the node that they stand for.
func Resolve(node *yaml.Node) *yaml.Node {
	for node != nil && node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node
}

// Expand lays a pattern over a tree and returns the concrete paths, in the order of the tree. A pattern without
// brackets yields itself, whether the tree reaches that far or not: the place is known all the same.
func Expand(root *yaml.Node, pattern Path) []Path {
	paths := []Path{nil}
	for _, step := range pattern {
		next := make([]Path, 0, len(paths))
		for _, path := range paths {
			next = append(next, steps(root, path, step)...)
		}
		paths = next
	}
	return paths
}

func steps(root *yaml.Node, path Path, step string) []Path {
	node := Lookup(root, path...)
	var out []Path
	switch step {
	case eachItem:
		if node != nil && node.Kind == yaml.SequenceNode {
			for i := range node.Content {
				out = append(out, path.Join(strconv.Itoa(i)))
			}
		}
	case eachValue:
		if node != nil && node.Kind == yaml.MappingNode {
			for i := 0; i+1 < len(node.Content); i += 2 {
				out = append(out, path.Join(node.Content[i].Value))
			}
		}
	default:
		out = append(out, path.Join(step))
	}
	return out
}
