package toleration

import (
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// target is an object of the render that an entry may select.
type target struct {
	item   *stream.Item
	object podspec.Object
}

// targets lists the objects of a render, those inside Lists too.
func targets(items []*stream.Item) ([]target, error) {
	all := make([]target, 0, len(items))
	for _, item := range items {
		if !podspec.IsList(item.APIVersion, item.Kind) {
			all = append(all, target{item: item, object: objectOf(item.Meta, nil)})
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

func insideList(item *stream.Item) ([]target, error) {
	root, err := item.Node()
	if err != nil {
		return nil, err
	}
	list := tree.Lookup(root.YNode(), "items")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil, nil
	}
	all := make([]target, 0, len(list.Content))
	for i, node := range list.Content {
		at := tree.Path{"items", strconv.Itoa(i)}
		all = append(all, target{item: item, object: objectOf(stream.MetaOf(tree.Resolve(node)), at)})
	}
	return all, nil
}

func objectOf(m stream.Meta, at tree.Path) podspec.Object {
	return podspec.Object{APIVersion: m.APIVersion, Kind: m.Kind, Namespace: m.Namespace, Name: m.Name, Labels: m.Labels, At: at}
}

func (t target) matches(w v1alpha1.Workload) bool {
	o := t.object
	return w.Matches(o.APIVersion, o.Kind, o.Namespace, o.Name, o.Labels)
}

func (t target) ref() *finding.Object {
	o := t.object
	return &finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}

// find makes a finding about the target, at a node of it (nil: at its first line).
func (t target) find(severity finding.Severity, code string, path tree.Path, node *yaml.Node, message string) finding.Finding {
	found := finding.Finding{Code: code, Severity: severity, Object: t.ref(), Field: path.String(), Message: message}
	if t.item.File != "" { // the lines of a ResourceList on standard input are nobody's
		found.Source = finding.Source{File: t.item.File, Line: t.item.LineOf(node)}
	}
	return found
}
