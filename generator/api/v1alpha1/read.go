package v1alpha1

import (
	"go.yaml.in/yaml/v3"

	"github.com/berth-dev/berth/generator/api/strict"
)

// ReadTaintIntents reads the TaintIntents of a file, with their defaults, in the file's order. Other kinds of Berth's may
// stand in the same file and are passed over, so the result can be empty; any other kind is an error, as is a file without
// an object. The error is a strict.Problems with all faults of all documents.
func ReadTaintIntents(file string, data []byte) ([]*TaintIntent, error) {
	return readKind(file, data, KindTaintIntent, taintIntent)
}

// TaintIntentFromNode reads one TaintIntent, such as a functionConfig, with its defaults. Without withLines no message
// names a line: kustomize re-encodes what it hands to a function. The error is a strict.Problems.
func TaintIntentFromNode(file string, node *yaml.Node, withLines bool) (*TaintIntent, error) {
	return fromNode(strict.Source{File: file, Lines: withLines}, node, KindTaintIntent, taintIntent)
}

// reader reads one object of a kind.
type reader[T any] func(strict.Source, *yaml.Node) (T, error)

// readKind reads the objects of one of Berth's kinds in a file.
func readKind[T any](file string, data []byte, wanted string, read reader[T]) ([]T, error) {
	documents, err := strict.Documents(file, data)
	if err != nil {
		return nil, err
	}
	if len(documents) == 0 {
		return nil, strict.Problems{{File: file, Message: "holds no object: a " + wanted + " begins with apiVersion: " + GroupVersion}}
	}
	source := strict.Source{File: file, Lines: true}
	var all []T
	var problems strict.Problems
	for _, document := range documents {
		kind, err := kindOf(source, document)
		if err == nil && kind != wanted {
			continue
		}
		var object T
		if err == nil {
			object, err = read(source, document)
		}
		problems = append(problems, strict.AsProblems(err)...)
		all = append(all, object)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return all, nil
}

// fromNode reads one object, which has to be of the kind.
func fromNode[T any](source strict.Source, node *yaml.Node, wanted string, read reader[T]) (T, error) {
	var none T
	if node == nil || node.IsZero() {
		return none, strict.Problems{{File: source.File, Message: "there is no object: a " + wanted + " is needed"}}
	}
	kind, err := kindOf(source, node)
	if err != nil {
		return none, err
	}
	if kind != wanted {
		return none, strict.Problems{source.Problem(node, "kind", "this is a %s: a %s is needed", kind, wanted)}
	}
	return read(source, node)
}

func taintIntent(source strict.Source, node *yaml.Node) (*TaintIntent, error) {
	intent := &TaintIntent{}
	index, err := strict.Decode(source, node, intent)
	intent.origin = index
	intent.Default()
	if err != nil {
		return nil, append(strict.AsProblems(err), strict.AsProblems(intent.Validate())...).Err()
	}
	return intent, intent.Validate()
}

// Position says where a field, such as spec.allow[0], stands in the file that the intent was read from. It is the zero
// Position for an object that was made in code.
func (i *TaintIntent) Position(path string) strict.Position { return i.origin.Position(path) }
