package flux

import (
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// Object is one object that a Kustomization would apply: built, its variables replaced, commonMetadata set.
type Object struct {
	finding.Object
	// Kustomization applies the object.
	Kustomization *Kustomization
	// Uses are the variables that the object's text refers to, by name. They are also there when nothing is replaced.
	Uses []Use
	// Template is the object's YAML before the replacement; empty when it uses no variable.
	Template string
	// SubstitutionDisabled says that the object carries kustomize.toolkit.fluxcd.io/substitute: disabled.
	SubstitutionDisabled bool
	// NotApplied says that the object carries kustomize.toolkit.fluxcd.io/reconcile: disabled or .../ssa: Ignore, so that
	// Flux leaves it alone.
	NotApplied bool
	// Encrypted says that SOPS encrypted the object.
	Encrypted bool
	// Origin is the file that the object came from: kustomize itself keeps track of it.
	Origin Origin

	checkout *Checkout
	node     *yaml.RNode
	item     func() *stream.Item
	line     func() int
}

// Origin is where an object's first version stands.
type Origin struct {
	// File is a path in the checkout: the resource's file, or the kustomization.yaml whose generator made the object.
	// It is empty when it is not known.
	File string
	// Generator is the kind of generator that made the object, such as ConfigMapGenerator; empty for a plain file.
	Generator string
}

// Group returns the API group: apps for apps/v1, nothing for v1.
func (o *Object) Group() string { return podspec.Group(o.APIVersion) }

// Node returns the object's tree, for reading.
func (o *Object) Node() *yaml.Node { return o.node.YNode() }

// Item returns the object as the rest of the domain takes it. Edits of it change the object.
func (o *Object) Item() *stream.Item { return o.item() }

// Source returns the file and the first line of the document that the object came from. The line is 0 when several
// documents could be meant. The file is read when the line is first asked for.
func (o *Object) Source() finding.Source {
	return finding.Source{File: o.Origin.File, Line: o.line()}
}

func newObject(k *Kustomization, c *Checkout, node *yaml.RNode, origin Origin) *Object {
	o := &Object{Kustomization: k, checkout: c, node: node, Origin: origin}
	o.item = sync.OnceValue(func() *stream.Item { return stream.New(node) })
	o.line = sync.OnceValue(o.findLine)
	o.identify()
	return o
}

// identify reads from the tree what the object is.
func (o *Object) identify() {
	meta := stream.MetaOf(o.Node())
	o.Object = finding.Object{APIVersion: meta.APIVersion, Kind: meta.Kind, Namespace: meta.Namespace, Name: meta.Name}
	mark := func(key string) string {
		if value, ok := meta.Annotations[toolkit+key]; ok {
			return value
		}
		return meta.Labels[toolkit+key]
	}
	o.SubstitutionDisabled = meta.Labels[toolkit+"substitute"] == disabled || meta.Annotations[toolkit+"substitute"] == disabled
	o.NotApplied = mark("reconcile") == disabled || mark("ssa") == "Ignore"
	o.Encrypted = tree.Lookup(o.Node(), "sops", "mac") != nil
}

const (
	toolkit  = "kustomize.toolkit.fluxcd.io/"
	disabled = "disabled"
)

func (o *Object) findLine() int {
	documents := o.checkout.documents(o.Origin.File)
	if o.Origin.Generator != "" {
		return generatorLine(documents, o.Name)
	}
	d, ok := find(documents, o)
	if !ok {
		return 0
	}
	return d.line(d.node)
}

// generatorLine finds the entry of a kustomization.yaml that generates an object. The generated name may carry a prefix
// and a hash.
func generatorLine(documents []document, name string) int {
	best, line := "", 0
	for _, d := range documents {
		for _, field := range []string{"configMapGenerator", "secretGenerator"} {
			list := tree.Lookup(d.node, field)
			if list == nil {
				continue
			}
			for _, entry := range list.Content {
				at := tree.Lookup(entry, "name")
				if at != nil && len(at.Value) > len(best) && strings.Contains(name, at.Value) {
					best, line = at.Value, d.line(at)
				}
			}
		}
	}
	return line
}
