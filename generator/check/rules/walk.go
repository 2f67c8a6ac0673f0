package rules

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

// walk visits every node of a tree with its path, parents first. The path must be cloned to be kept.
func walk(root *yaml.Node, visit func(path tree.Path, node *yaml.Node)) { walkFrom(nil, root, visit) }

func walkFrom(path tree.Path, node *yaml.Node, visit func(tree.Path, *yaml.Node)) {
	node = tree.Resolve(node)
	if node == nil {
		return
	}
	visit(path, node)
	switch node.Kind {
	case yaml.DocumentNode:
		for _, child := range node.Content {
			walkFrom(path, child, visit)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			walkFrom(append(path, node.Content[i].Value), node.Content[i+1], visit)
		}
	case yaml.SequenceNode:
		for i, child := range node.Content {
			walkFrom(append(path, strconv.Itoa(i)), child, visit)
		}
	}
}

// scalars visits every scalar of a tree.
func scalars(root *yaml.Node, visit func(path tree.Path, node *yaml.Node)) {
	walk(root, func(path tree.Path, node *yaml.Node) {
		if node.Kind == yaml.ScalarNode {
			visit(path, node)
		}
	})
}

// parse reads the first document of a text; nil when it is no YAML.
func parse(text string) *yaml.Node {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil || len(root.Content) == 0 {
		return nil
	}
	return root.Content[0]
}

// text returns the value of a scalar, or nothing.
func text(root *yaml.Node, path ...string) string {
	if at := tree.Lookup(root, path...); at != nil && at.Kind == yaml.ScalarNode && !tree.IsNull(at) {
		return at.Value
	}
	return ""
}

// keys returns the keys of a mapping, in their order.
func keys(mapping *yaml.Node) []string {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	all := make([]string, 0, len(mapping.Content)/2)
	for i := 0; i < len(mapping.Content); i += 2 {
		all = append(all, mapping.Content[i].Value)
	}
	return all
}

// items returns the entries of a list.
func items(list *yaml.Node) []*yaml.Node {
	list = tree.Resolve(list)
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return list.Content
}

// is says whether an object is of a group and kind.
func is(o *flux.Object, group, kind string) bool { return o.Kind == kind && o.Group() == group }

// isCRD says whether an object defines a kind. Its tree is large and holds examples, so most rules pass it over.
func isCRD(o *flux.Object) bool { return is(o, "apiextensions.k8s.io", "CustomResourceDefinition") }

// and joins a list for a sentence: a, b and c.
func and(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// some shortens a list for a sentence.
func some(words []string, most int) string {
	if len(words) <= most {
		return and(words)
	}
	return strings.Join(words[:most], ", ") + " and " + strconv.Itoa(len(words)-most) + " more"
}

// clone keeps a path.
func clone(path tree.Path) tree.Path { return slices.Clone(path) }
