package rules

import (
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/tree"
)

// patch is an entry of the patches of a kustomization.yaml, or of a Flux Kustomization's spec.patches.
type patch struct {
	at     finding.Source
	target *selector
	// documents are the strategic merge patches, or the one list of operations.
	documents []*yaml.Node
	// shift is added to the lines of the documents, which stand in file.
	file  string
	shift int
	// generated says that berth generate wrote the kustomization.yaml.
	generated bool
}

// line returns where a node of one of the patch's documents stands.
func (p *patch) line(node *yaml.Node) finding.Source {
	if p.file == "" {
		return p.at
	}
	return finding.Source{File: p.file, Line: node.Line + p.shift}
}

// operations says whether the patch is a JSON6902 patch.
func (p *patch) operations() []*yaml.Node {
	if len(p.documents) == 1 && p.documents[0].Kind == yaml.SequenceNode {
		return p.documents[0].Content
	}
	return nil
}

// subject names what the patch is for.
func (p *patch) subject() string {
	if p.target != nil {
		return p.target.String()
	}
	if len(p.documents) > 0 {
		return text(p.documents[0], "kind") + " " + text(p.documents[0], "metadata", "name")
	}
	return "something"
}

// only says whether the patch is for one object alone.
func (p *patch) only(kind, name string) bool {
	if p.target != nil {
		return p.target.Kind == kind && p.target.Name == name
	}
	for _, root := range p.documents {
		if text(root, "kind") != kind || text(root, "metadata", "name") != name {
			return false
		}
	}
	return len(p.documents) > 0
}

// patchesIn returns the patches of a kustomization.yaml.
func patchesIn(r *check.Repository, file string, root *yaml.Node) []patch {
	var all []patch
	content, _ := r.Checkout.ReadFile(file)
	for _, field := range []string{"patches", "patchesJson6902", "patchesStrategicMerge"} {
		for _, entry := range items(tree.Lookup(root, field)) {
			one := patch{at: finding.Source{File: file, Line: entry.Line}, generated: header.IsOurs(content)}
			inline := entry
			if entry.Kind == yaml.MappingNode {
				one.target = selectorFrom(tree.Lookup(entry, "target"))
				inline = tree.Lookup(entry, "patch")
			}
			if external := text(entry, "path"); external != "" {
				one.load(r, path.Join(path.Dir(file), external))
			} else if inline != nil {
				one.inline(r, file, inline)
			}
			all = append(all, one)
		}
	}
	return all
}

func (p *patch) load(r *check.Repository, file string) {
	p.file, p.documents = file, r.Documents(file)
}

// inline reads a patch that stands in the entry, or, under patchesStrategicMerge, the file that it names.
func (p *patch) inline(r *check.Repository, file string, node *yaml.Node) {
	if !strings.ContainsAny(node.Value, "\n{:") {
		p.load(r, path.Join(path.Dir(file), node.Value))
		return
	}
	p.documents = check.Documents([]byte(node.Value))
	if node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		p.file, p.shift = file, node.Line
	}
}

// selector is a kustomize selector, whose fields are regular expressions.
type selector struct {
	Group, Version, Kind, Namespace, Name, Labels, Annotations string
}

func selectorFrom(node *yaml.Node) *selector {
	if tree.IsNull(node) {
		return nil
	}
	s := &selector{
		Group: text(node, "group"), Version: text(node, "version"), Kind: text(node, "kind"), Namespace: text(node, "namespace"),
		Name: text(node, "name"), Labels: text(node, "labelSelector"), Annotations: text(node, "annotationSelector"),
	}
	if *s == (selector{}) {
		return nil
	}
	return s
}

// String names what the selector selects.
func (s *selector) String() string {
	name := s.Name
	if name == "" {
		name = "*"
	}
	if s.Namespace != "" {
		name = s.Namespace + "/" + name
	}
	kind := s.Kind
	if kind == "" {
		kind = "any kind"
	}
	out := kind + " " + name
	for _, more := range [][2]string{{"labels", s.Labels}, {"annotations", s.Annotations}} {
		if more[1] != "" {
			out += fmt.Sprintf(" with %s %s", more[0], more[1])
		}
	}
	return out
}
