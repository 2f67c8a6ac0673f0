package stream

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// Item is one object of a list or stream.
type Item struct {
	Meta
	// File is where the item came from, as the caller named it; empty for a ResourceList.
	File string
	// Line is the line of the item's first line in the input, from 1; 0 when the input has no lines of its own.
	Line int

	lead, body []byte
	dash       int // column of the dash in a list; -1 in a stream of documents
	node       *yaml.RNode
	changed    bool
}

// Meta is what tells one object from another.
type Meta struct {
	APIVersion, Kind, Namespace, Name string
	Labels, Annotations               map[string]string
}

// ID returns the object as people write it: Kind namespace/name.
func (m Meta) ID() string {
	if m.Namespace == "" {
		return m.Kind + " " + m.Name
	}
	return m.Kind + " " + m.Namespace + "/" + m.Name
}

// Node returns the item's tree for reading, decoding it when it is first asked for. Its anchors are expanded, since an
// edit of an anchored value would change every place that refers to it.
func (i *Item) Node() (*yaml.RNode, error) {
	if i.node == nil {
		node, err := i.decode()
		if err != nil {
			return nil, err
		}
		if err := tree.ExpandAnchors(node); err != nil {
			return nil, &Error{File: i.File, Line: i.Line, Message: err.Error()}
		}
		i.node = node
	}
	return i.node, nil
}

// Edit returns the item's tree for writing: the item will be encoded anew.
func (i *Item) Edit() (*yaml.RNode, error) {
	node, err := i.Node()
	if err != nil {
		return nil, err
	}
	i.changed = true
	return node, nil
}

// New makes an item for an object that did not come in.
func New(node *yaml.RNode) *Item {
	return &Item{Meta: MetaOf(node.YNode()), node: node, changed: true, dash: -1}
}

// check decodes the item, notes what it is and lets the tree go.
func (i *Item) check() error {
	node, err := i.decode()
	if err != nil {
		return err
	}
	i.Meta = MetaOf(node.YNode())
	return nil
}

func (i *Item) decode() (*yaml.RNode, error) {
	text := i.body
	if i.dash >= 0 {
		text = bytes.Clone(i.body)
		text[i.dash] = ' '
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		line, message := tree.SyntaxFault(text, err)
		return nil, &Error{File: i.File, Line: i.at(line), Message: message}
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, &Error{File: i.File, Line: i.Line, Message: "is not an object (a YAML mapping was expected)"}
	}
	if err := duplicateKey(&doc); err != nil {
		return nil, &Error{File: i.File, Line: i.at(err.Line), Message: fmt.Sprintf("%s (it first stands on line %d)", err.Message, i.at(err.first))}
	}
	return yaml.NewRNode(doc.Content[0]), nil
}

// Mentions says whether a text stands anywhere in the item, without decoding it. For an item that did not come in as
// bytes the answer is yes.
func (i *Item) Mentions(text string) bool {
	return len(i.body) == 0 || bytes.Contains(i.body, []byte(text))
}

// LineOf returns the input's line of a node in this item's tree.
func (i *Item) LineOf(node *yaml.Node) int {
	if node == nil || node.Line == 0 {
		return i.Line
	}
	return i.at(node.Line)
}

// at turns a line inside the item into a line of the input.
func (i *Item) at(line int) int {
	if i.Line == 0 {
		return line
	}
	return i.Line + line - 1
}

// MetaOf reads what an object is from its tree.
func MetaOf(root *yaml.Node) Meta {
	m := Meta{}
	m.APIVersion = scalar(root, "apiVersion")
	m.Kind = scalar(root, "kind")
	metadata := tree.Lookup(root, "metadata")
	m.Namespace = scalar(metadata, "namespace")
	m.Name = scalar(metadata, "name")
	m.Labels = scalars(tree.Lookup(metadata, "labels"))
	m.Annotations = scalars(tree.Lookup(metadata, "annotations"))
	return m
}

func scalar(node *yaml.Node, key string) string {
	value := tree.Lookup(node, key)
	if value == nil || value.Kind != yaml.ScalarNode || tree.IsNull(value) {
		return ""
	}
	return value.Value
}

func scalars(node *yaml.Node) map[string]string {
	if node == nil || node.Kind != yaml.MappingNode || len(node.Content) == 0 {
		return nil
	}
	out := make(map[string]string, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		if value := tree.Resolve(node.Content[i+1]); value.Kind == yaml.ScalarNode {
			out[node.Content[i].Value] = value.Value
		}
	}
	return out
}
