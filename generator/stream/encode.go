package stream

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// write adds the item to a list whose dashes stand at column indent.
func (i *Item) write(out *bytes.Buffer, indent int) error {
	endLine(out)
	out.Write(i.lead)
	endLine(out)
	if !i.changed && i.dash == indent {
		out.Write(i.body)
		return nil
	}
	text, err := Encode(i.node, i.body)
	if err != nil {
		return err
	}
	asListItem(out, text, indent)
	return nil
}

// Encode returns a tree as YAML, its sequences indented the way the original text (which may be empty) indents them.
func Encode(node *yaml.RNode, original []byte) ([]byte, error) {
	style := yaml.CompactSequenceStyle
	if yaml.DeriveSeqIndentStyle(string(original)) == string(yaml.WideSequenceStyle) {
		style = yaml.WideSequenceStyle
	}
	tree.SpellNulls(node.YNode())
	var out bytes.Buffer
	enc := yaml.NewEncoderWithOptions(&out, &yaml.EncoderOptions{SeqIndent: style})
	if err := enc.Encode(node.YNode()); err != nil {
		return nil, err
	}
	return out.Bytes(), enc.Close()
}

// asListItem indents a document and puts a dash before its first line.
func asListItem(out *bytes.Buffer, text []byte, indent int) {
	pad := bytes.Repeat([]byte(" "), indent+2)
	for first := true; len(text) > 0; first = false {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		line := text[:end]
		text = text[end:]
		switch {
		case first:
			out.Write(pad[:indent])
			out.WriteString("- ")
		case len(bytes.TrimRight(line, "\n")) > 0:
			out.Write(pad)
		}
		out.Write(line)
	}
}
