package podspec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// TextAt reads the YAML inside a string of an object. The string is nil where it is missing; the document is nil where
// the string is empty or holds only comments, and otherwise keeps its comments.
func TextAt(root *yaml.Node, at tree.Path) (scalar, document *yaml.Node, err error) {
	scalar = tree.Lookup(root, at...)
	if tree.IsNull(scalar) {
		return nil, nil, nil
	}
	if scalar.Kind != yaml.ScalarNode {
		return nil, nil, fmt.Errorf("%s is %s; a string with YAML belongs there", at, tree.Describe(scalar))
	}
	document, err = Document([]byte(scalar.Value))
	switch {
	case err != nil && strings.Contains(scalar.Value, "${"):
		return nil, nil, fmt.Errorf("%s holds ${...} that make it no YAML before they are replaced", at)
	case err != nil:
		return nil, nil, fmt.Errorf("%s: the YAML in it does not parse: %w", at, err)
	}
	return scalar, document, nil
}

// Document reads text with one YAML document, its anchors expanded; nil when it holds nothing but comments. A second
// document is an error: who reads values takes the first and passes over the rest.
func Document(text []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, errors.New("it holds more than one document")
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	if len(document.Content) == 0 || tree.IsNull(document.Content[0]) {
		return nil, nil
	}
	return &document, tree.ExpandAnchors(yaml.NewRNode(document.Content[0]))
}
