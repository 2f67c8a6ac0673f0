package stream

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// readWhole decodes a list of any shape in one go: flow style, JSON, anchors that reach across items, results of an
// earlier function. Everything in it is encoded anew when it is written.
func readWhole(in []byte) (*ResourceList, error) {
	root, err := decodeOne(in)
	if err != nil {
		return nil, err
	}
	if err := requireList(root); err != nil {
		return nil, err
	}
	list := &ResourceList{indent: 0}
	frame := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, HeadComment: root.HeadComment}
	rest := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], tree.Resolve(root.Content[i+1])
		switch key.Value {
		case "results":
		case "items":
			if err := list.takeItems(value); err != nil {
				return nil, err
			}
		case "apiVersion", "kind":
			frame.Content = append(frame.Content, key, value)
		default:
			rest.Content = append(rest.Content, key, value)
			if key.Value == "functionConfig" && value.Kind == yaml.MappingNode {
				list.FunctionConfig = yaml.NewRNode(value)
			}
		}
	}
	return list, list.encodeFrame(frame, rest)
}

func decodeOne(in []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(in))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, &Error{Message: "standard input holds no document: a ResourceList was expected"}
	case err != nil:
		line, message := tree.SyntaxFault(in, err)
		return nil, &Error{Line: line, Message: message}
	}
	if err := dec.Decode(&more); err == nil {
		return nil, &Error{Line: more.Line, Message: "a second document follows the ResourceList; standard input must hold one"}
	}
	if err := duplicateKey(&doc); err != nil {
		return nil, err
	}
	expanded := yaml.NewRNode(doc.Content[0])
	if err := tree.ExpandAnchors(expanded); err != nil {
		return nil, &Error{Line: doc.Line, Message: err.Error()}
	}
	return expanded.YNode(), nil
}

func (l *ResourceList) takeItems(items *yaml.Node) error {
	if items.Kind != yaml.SequenceNode {
		if items.Tag == yaml.NodeTagNull {
			return nil
		}
		return &Error{Line: items.Line, Message: "items is not a list"}
	}
	for _, node := range items.Content {
		if node.Kind != yaml.MappingNode {
			return &Error{Line: node.Line, Message: "an item is not an object (a YAML mapping was expected)"}
		}
		item := New(yaml.NewRNode(node))
		item.Line = 0
		l.Items = append(l.Items, item)
	}
	return nil
}

func (l *ResourceList) encodeFrame(frame, rest *yaml.Node) error {
	head, err := Encode(yaml.NewRNode(frame), nil)
	if err != nil {
		return err
	}
	l.head = slices.Concat(head, []byte("items:\n"))
	if len(rest.Content) > 0 {
		l.tail, err = Encode(yaml.NewRNode(rest), nil)
	}
	return err
}
