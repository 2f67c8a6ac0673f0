package placement

import (
	"fmt"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// object is an object of a render, or one inside a List.
type object struct {
	podspec.Object
	item *stream.Item
	tree *yaml.Node // the item's
}

// objects lists the objects of a render whose kind is wanted, those inside Lists too.
func objects(items []*stream.Item, wanted func(apiVersion, kind string) bool) ([]*object, error) {
	var all []*object
	for _, item := range items {
		list := podspec.IsList(item.APIVersion, item.Kind)
		if !list && !wanted(item.APIVersion, item.Kind) {
			continue
		}
		node, err := item.Node()
		if err != nil {
			return nil, err
		}
		if !list {
			all = append(all, newObject(item, node.YNode(), node.YNode(), nil))
			continue
		}
		inside := tree.Lookup(node.YNode(), "items")
		if inside == nil {
			continue
		}
		for i, each := range inside.Content {
			o := newObject(item, node.YNode(), tree.Resolve(each), tree.Path{"items", itoa(i)})
			if wanted(o.APIVersion, o.Kind) {
				all = append(all, o)
			}
		}
	}
	return all, nil
}

func newObject(item *stream.Item, root, node *yaml.Node, at tree.Path) *object {
	m := stream.MetaOf(node)
	return &object{item: item, tree: root, Object: podspec.Object{
		APIVersion: m.APIVersion, Kind: m.Kind, Namespace: m.Namespace, Name: m.Name, Labels: m.Labels, At: at,
	}}
}

// root returns the object's own tree.
func (o *object) root() *yaml.Node { return tree.Lookup(o.tree, o.At...) }

func (o *object) at(path ...string) *yaml.Node { return tree.Lookup(o.root(), path...) }

func (o *object) ref() finding.Object {
	return finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}

func (o *object) source(node *yaml.Node) finding.Source {
	if o.item.File == "" { // the lines of a ResourceList on standard input are nobody's
		return finding.Source{}
	}
	return finding.Source{File: o.item.File, Line: o.item.LineOf(node)}
}

// fault makes an error that begins with the place and the object.
func (o *object) fault(f *fault) error {
	ref := o.ref()
	if place := o.source(f.node).String(); place != "" {
		return fmt.Errorf("%s: %s: %s", place, ref, f.message)
	}
	return fmt.Errorf("%s: %s", ref, f.message)
}

func atoi(s string) (int, error) { return strconv.Atoi(s) }
