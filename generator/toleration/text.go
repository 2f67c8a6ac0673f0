package toleration

import (
	"bytes"
	"encoding/json"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// text is YAML inside a string of an object.
type text struct {
	scalar   *yaml.Node // the string as it stands; nil when it is missing
	document *yaml.Node
	made     bool // nothing was there but comments
	json     bool // written on one line
}

// readText reads the string at a path, or makes an empty one: a list for an annotation, a mapping for values.
func readText(root *yaml.Node, at tree.Path, list bool) (*text, error) {
	scalar, document, err := podspec.TextAt(root, at)
	if err != nil {
		return nil, err
	}
	t := &text{scalar: scalar, document: document, json: list}
	if document == nil {
		inside := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
		if list {
			inside = tree.List()
		}
		t.document, t.made = &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{inside}}, true
	} else if list {
		t.json = json.Valid([]byte(scalar.Value))
	}
	return t, nil
}

// encode returns the string anew: with the comments, the indentation of lists and the last line break that it had.
func (t *text) encode() (*yaml.Node, error) {
	if t.json {
		return t.encodeJSON()
	}
	before := ""
	if t.scalar != nil {
		before = t.scalar.Value
	}
	style := yaml.CompactSequenceStyle
	if yaml.DeriveSeqIndentStyle(before) == string(yaml.WideSequenceStyle) {
		style = yaml.WideSequenceStyle
	}
	tree.SpellNulls(t.document)
	var out bytes.Buffer
	enc := yaml.NewEncoderWithOptions(&out, &yaml.EncoderOptions{SeqIndent: style})
	if err := enc.Encode(t.document); err != nil {
		return nil, err
	}
	if err := enc.Close(); err != nil {
		return nil, err
	}
	after := out.String()
	switch {
	case t.made && strings.TrimSpace(before) != "": // nothing but comments
		after = strings.TrimRight(before, "\n") + "\n" + after
	case before != "" && !strings.HasSuffix(before, "\n"):
		after = strings.TrimSuffix(after, "\n")
	}
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: after, Style: yaml.LiteralStyle}
	return node, nil
}

func (t *text) encodeJSON() (*yaml.Node, error) {
	var value any
	if err := t.document.Decode(&value); err != nil {
		return nil, err
	}
	out, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: string(out), Style: yaml.SingleQuotedStyle}
	return node, nil
}
