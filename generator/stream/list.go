package stream

import (
	"bytes"
	"fmt"
	"io"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// ResourceList is what a KRM function reads and writes. The zero value is not useful: see ReadList.
type ResourceList struct {
	// Items are the objects, in the order in which they came; new ones stand at the end.
	Items []*Item
	// FunctionConfig is the function's configuration; nil when there is none.
	FunctionConfig *yaml.RNode
	// Results replace whatever results came in.
	Results []Result

	head, tail []byte
	indent     int // column of the dashes
}

// ReadList reads a ResourceList of config.kubernetes.io/v1 or v1beta1. Its errors name the line of the input.
func ReadList(in []byte) (*ResourceList, error) {
	if len(bytes.TrimSpace(in)) == 0 {
		return nil, &Error{Message: "standard input is empty: a ResourceList was expected, as kustomize and kpt send it"}
	}
	if cut, ok := scan(in); ok {
		list, err := readCut(cut)
		if err == nil {
			return list, nil
		}
	}
	return readWhole(in)
}

// readCut reads a list that could be cut into items. Any error may be the cut's own fault.
func readCut(cut layout) (*ResourceList, error) {
	tail, err := withoutResults(cut.tail)
	if err != nil {
		return nil, err
	}
	list := &ResourceList{head: cut.head, tail: tail, indent: cut.indent}
	frame := bytes.Join([][]byte{bytes.TrimRight(cut.head, " \r\n"), []byte(" []\n"), tail}, nil)
	if err := list.readFrame(frame); err != nil {
		return nil, err
	}
	for _, c := range cut.items {
		list.Items = append(list.Items, &Item{lead: c.lead, body: c.body, Line: c.line, dash: cut.indent})
	}
	return list, checkAll(list.Items)
}

// withoutResults cuts the results of an earlier function out of what follows the items: ours take their place. Behind a
// document marker nothing can be added.
func withoutResults(tail []byte) ([]byte, error) {
	var kept []byte
	inside := false
	for line := range bytes.Lines(tail) {
		if isMarker(line) {
			return nil, fmt.Errorf("a document marker ends the list")
		}
		if kind, indent := classify(line, -1); kind == lineTop && indent == 0 {
			inside = bytes.HasPrefix(line, []byte("results:"))
		}
		if !inside {
			kept = append(kept, line...)
		}
	}
	return kept, nil
}

// readFrame reads what stands around the items.
func (l *ResourceList) readFrame(frame []byte) error {
	dec := yaml.NewDecoder(bytes.NewReader(frame))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); err != nil {
		line, message := tree.SyntaxFault(frame, err)
		return &Error{Line: line, Message: message}
	}
	if err := dec.Decode(&more); err == nil {
		return &Error{Line: more.Line, Message: "a second document follows the ResourceList; standard input must hold one"}
	}
	root := doc.Content[0]
	if err := requireList(root); err != nil {
		return err
	}
	if err := duplicateKey(&doc); err != nil {
		return err
	}
	if tree.Lookup(root, "results") != nil {
		return fmt.Errorf("results stand before the items: the list has to be written anew")
	}
	if config := tree.Lookup(root, "functionConfig"); config != nil && config.Kind == yaml.MappingNode {
		l.FunctionConfig = yaml.NewRNode(config)
	}
	return nil
}

func requireList(root *yaml.Node) error {
	if root.Kind != yaml.MappingNode {
		return &Error{Line: root.Line, Message: "is not a ResourceList: a YAML mapping was expected"}
	}
	meta := MetaOf(root)
	if meta.Kind != "ResourceList" {
		return &Error{Line: root.Line, Message: fmt.Sprintf("is not a ResourceList but %s; from a shell, use `berth generate`", orNothing(meta.Kind))}
	}
	switch meta.APIVersion {
	case "config.kubernetes.io/v1", "config.kubernetes.io/v1beta1":
		return nil
	}
	return &Error{Line: root.Line, Message: fmt.Sprintf("ResourceList of apiVersion %s; config.kubernetes.io/v1 or v1beta1 was expected", orNothing(meta.APIVersion))}
}

func orNothing(s string) string {
	if s == "" {
		return "something without one"
	}
	return s
}

// Write writes the list: the bytes that came for every item that nobody changed, and the items, changed or not, in
// their order.
func (l *ResourceList) Write(w io.Writer) error {
	var out bytes.Buffer
	out.Write(l.head)
	for _, item := range l.Items {
		if err := item.write(&out, l.indent); err != nil {
			return fmt.Errorf("%s: encode: %w", item.ID(), err)
		}
	}
	endLine(&out)
	out.Write(l.tail)
	if len(l.Results) > 0 {
		endLine(&out)
		if err := writeResults(&out, l.Results); err != nil {
			return fmt.Errorf("results: encode: %w", err)
		}
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	return nil
}

func endLine(out *bytes.Buffer) {
	if b := out.Bytes(); len(b) > 0 && b[len(b)-1] != '\n' {
		out.WriteByte('\n')
	}
}
