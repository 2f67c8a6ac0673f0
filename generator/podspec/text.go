package podspec

import (
	"fmt"
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
	if strings.Contains(scalar.Value, "${") && !parses(scalar.Value) {
		return nil, nil, fmt.Errorf("%s holds ${...} that make it no YAML before they are replaced", at)
	}
	document = &yaml.Node{}
	if err := yaml.Unmarshal([]byte(scalar.Value), document); err != nil {
		return nil, nil, fmt.Errorf("%s: the YAML in it does not parse: %w", at, err)
	}
	if len(document.Content) == 0 {
		return scalar, nil, nil
	}
	if err := yaml.NewRNode(document).DeAnchor(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", at, err)
	}
	return scalar, document, nil
}

func parses(text string) bool {
	var any yaml.Node
	return yaml.Unmarshal([]byte(text), &any) == nil
}
