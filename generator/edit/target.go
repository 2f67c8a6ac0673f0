package edit

import (
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// Target is an object of a render.
type Target struct {
	// Item holds the object, by itself or inside a List.
	Item *stream.Item
	// Object says what it is, and where in the item.
	Object podspec.Object
}

// Targets lists the objects of a render, those inside Lists too.
func Targets(items []*stream.Item) ([]Target, error) {
	all := make([]Target, 0, len(items))
	for _, item := range items {
		if !podspec.IsList(item.APIVersion, item.Kind) {
			all = append(all, Target{Item: item, Object: objectOf(item.Meta, nil)})
			continue
		}
		inside, err := insideList(item)
		if err != nil {
			return nil, err
		}
		all = append(all, inside...)
	}
	return all, nil
}

func insideList(item *stream.Item) ([]Target, error) {
	root, err := item.Node()
	if err != nil {
		return nil, err
	}
	list := tree.Lookup(root.YNode(), "items")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil, nil
	}
	all := make([]Target, 0, len(list.Content))
	for i, node := range list.Content {
		at := tree.Path{"items", strconv.Itoa(i)}
		all = append(all, Target{Item: item, Object: objectOf(stream.MetaOf(tree.Resolve(node)), at)})
	}
	return all, nil
}

func objectOf(m stream.Meta, at tree.Path) podspec.Object {
	return podspec.Object{APIVersion: m.APIVersion, Kind: m.Kind, Namespace: m.Namespace, Name: m.Name, Labels: m.Labels, Annotations: m.Annotations, At: at}
}

// Matches tells whether a workload entry means the object.
func (t Target) Matches(w v1alpha1.Workload) bool {
	o := t.Object
	return w.Matches(o.APIVersion, o.Kind, o.Namespace, o.Name, o.Labels)
}

// Ref names the object.
func (t Target) Ref() *finding.Object {
	o := t.Object
	return &finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}

// Find makes a finding about the target, at a node of it (nil: at its first line).
func (t Target) Find(severity finding.Severity, code string, path tree.Path, node *yaml.Node, message string) finding.Finding {
	found := finding.Finding{Code: code, Severity: severity, Object: t.Ref(), Field: path.String(), Message: message}
	if t.Object.Kind == "" { // a file that is no object
		found.Object = nil
	}
	if t.Item.File != "" { // the lines of a ResourceList on standard input are nobody's
		found.Source = finding.Source{File: t.Item.File, Line: t.Item.LineOf(node)}
	}
	return found
}
