package placement

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// fault is what is wrong with a pod spec, at a node of it.
type fault struct {
	node    *yaml.Node
	path    string
	message string
}

func (f *fault) Error() string { return f.message }

// typeFault finds the node that a decoder could not read.
func typeFault(root *yaml.Node, err error) *fault {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return &fault{node: root, message: err.Error()}
	}
	steps := strings.Split(wrong.Field, ".")
	node := seek(root, steps, jsonKind(wrong.Value))
	f := &fault{node: node, path: wrong.Field}
	f.message = fmt.Sprintf("%s is %s; the API server wants %s", wrong.Field, tree.Describe(node), wanted(wrong.Type.String()))
	if node != nil && node.Kind == yaml.ScalarNode && wrong.Type.String() == "string" {
		f.message = fmt.Sprintf("%s: %s is %s for the API server, which wants a string; write it in quotes", wrong.Field, node.Value, wrong.Value)
	}
	return f
}

// seek follows the steps, into every item of a list, to the first node of a kind; nil when there is none.
func seek(node *yaml.Node, steps []string, kind string) *yaml.Node {
	node = tree.Resolve(node)
	if node == nil {
		return nil
	}
	if len(steps) == 0 && kindOf(node) == kind {
		return node
	}
	if node.Kind == yaml.SequenceNode {
		for _, item := range node.Content {
			if found := seek(item, steps, kind); found != nil {
				return found
			}
		}
		return nil
	}
	if len(steps) > 0 {
		return seek(tree.Lookup(node, steps[0]), steps[1:], kind)
	}
	for i := 1; i < len(node.Content); i += 2 { // the values of a map have no steps of their own
		if found := tree.Resolve(node.Content[i]); kindOf(found) == kind {
			return found
		}
	}
	return nil
}

// jsonKind shortens what a JSON decoder says it found: number 5 is a number.
func jsonKind(value string) string {
	kind, _, _ := strings.Cut(value, " ")
	return kind
}

// kindOf names a node as a JSON decoder would, once YAML 1.1 was turned into JSON.
func kindOf(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.SequenceNode:
		return "array"
	case node.Kind == yaml.MappingNode:
		return "object"
	case node.Style != 0 || !yaml.IsYaml1_1NonString(node) && node.ShortTag() == yaml.NodeTagString:
		return "string"
	case strings.ContainsAny(node.Value, "0123456789"):
		return "number"
	}
	return "bool"
}

func wanted(goType string) string {
	switch {
	case goType == "string":
		return "a string"
	case goType == "bool":
		return "true or false"
	case strings.HasPrefix(goType, "int"):
		return "a whole number"
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	}
	return "a mapping"
}
