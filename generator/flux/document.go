package flux

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// document is one object as it stands in a file.
type document struct {
	stream.Meta
	node *yaml.Node
	// shift is added to the lines of the node: patches that stand inside a kustomization.yaml are parsed by themselves.
	shift int
}

func (d document) line(node *yaml.Node) int { return node.Line + d.shift }

// readDocuments returns the objects of a file, those inside Lists and the patches inside a kustomization.yaml included. A
// file that cannot be parsed has those that stand before the fault: kustomize tells the user about it.
func (c *Checkout) readDocuments(name string) []document {
	content, err := c.ReadFile(name)
	if err != nil {
		return nil
	}
	return documentsIn(content, 0)
}

func documentsIn(content []byte, shift int) []document {
	var all []document
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for {
		var root yaml.Node
		err := decoder.Decode(&root)
		if err != nil || anchorsOf(&root) != nil {
			return all
		}
		if len(root.Content) == 1 && root.Content[0].Kind == yaml.MappingNode {
			all = append(all, open(document{node: root.Content[0], shift: shift})...)
		}
	}
}

func open(d document) []document {
	d.Meta = stream.MetaOf(d.node)
	if items := tree.Lookup(d.node, "items"); strings.HasSuffix(d.Kind, "List") && items != nil {
		all := make([]document, 0, len(items.Content))
		for _, item := range items.Content {
			all = append(all, open(document{node: item, shift: d.shift})...)
		}
		return all
	}
	return append([]document{d}, inlinePatches(d)...)
}

// inlinePatches finds strategic merge patches in the patches and patchesStrategicMerge of a kustomization.yaml.
func inlinePatches(d document) []document {
	var all []document
	for _, field := range []string{"patches", "patchesStrategicMerge"} {
		list := tree.Lookup(d.node, field)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for _, entry := range list.Content {
			text := entry
			if entry.Kind == yaml.MappingNode {
				text = tree.Lookup(entry, "patch")
			}
			if text != nil && text.Kind == yaml.ScalarNode && text.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
				all = append(all, documentsIn([]byte(text.Value), text.Line+d.shift)...)
			}
		}
	}
	return all
}

// find returns the document that an object came from, when it is clear which one that is. Prefixes, suffixes and a target
// namespace may have changed the object since, so the document that resembles it most is taken, if it is the only one.
func find(documents []document, o *Object) (best document, ok bool) {
	most := -1
	for _, d := range documents {
		if d.Kind != o.Kind {
			continue
		}
		switch n := d.resemblance(o); {
		case n > most:
			best, ok, most = d, true, n
		case n == most:
			ok = false
		}
	}
	return best, ok
}

// resemblance counts what a document and an object of the same kind share: the whole name counts more than any part of
// it, and a name more than a namespace.
func (d document) resemblance(o *Object) int {
	n := 0
	switch {
	case d.Name == o.Name:
		n = 1000
	case d.Name != "" && strings.Contains(o.Name, d.Name):
		n = 2 * len(d.Name)
	}
	if d.Namespace == o.Namespace {
		n++
	}
	return n
}
