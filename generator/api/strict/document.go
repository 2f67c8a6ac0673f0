package strict

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/berth-dev/berth/generator/tree"
)

// Documents splits a file into its YAML documents, leaving out those that hold nothing but comments. An error is a
// Problems with the line at which the YAML stops to parse.
func Documents(file string, data []byte) ([]*yaml.Node, error) {
	var all []*yaml.Node
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			line, message := tree.SyntaxFault(data, err)
			return nil, Problems{{File: file, Line: line, Message: message}}
		}
		if root := rootOf(&document); root != nil && !isBlank(root) {
			all = append(all, root)
		}
	}
}

// rootOf is the value of a document, or the node itself when it is no document.
func rootOf(node *yaml.Node) *yaml.Node {
	if node == nil || node.Kind == 0 {
		return nil
	}
	if node.Kind != yaml.DocumentNode {
		return node
	}
	if len(node.Content) == 0 {
		return nil
	}
	return node.Content[0]
}

func isBlank(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Value == "" && node.ShortTag() == "!!null"
}
