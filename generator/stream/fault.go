package stream

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Error is a fault of the input, at a place in it.
type Error struct {
	File    string // empty for standard input
	Line    int    // from 1; 0 when it is not known
	Message string

	first int
}

// Error returns file:line: message, with what is known of the place.
func (e *Error) Error() string {
	switch {
	case e.File == "" && e.Line == 0:
		return e.Message
	case e.File == "":
		return fmt.Sprintf("line %d: %s", e.Line, e.Message)
	case e.Line == 0:
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

const mergeTag = "!!merge"

// duplicateKey finds a key that stands twice in one mapping. The YAML library lets it pass, and the last one would
// silently win.
func duplicateKey(node *yaml.Node) *Error {
	if node.Kind == yaml.MappingNode {
		if err := duplicateIn(node); err != nil {
			return err
		}
	}
	for _, child := range node.Content {
		if err := duplicateKey(child); err != nil {
			return err
		}
	}
	return nil
}

func duplicateIn(node *yaml.Node) *Error {
	seen := make(map[string]int, len(node.Content)/2)
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag == mergeTag {
			continue
		}
		if first, twice := seen[key.Value]; twice {
			return &Error{Line: key.Line, first: first, Message: fmt.Sprintf("key %q stands twice; keep one", key.Value)}
		}
		seen[key.Value] = key.Line
	}
	return nil
}
