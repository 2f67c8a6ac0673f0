package stamp

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// Add puts the ConfigMaps of an intent among the items: new ones at the end, and those that an earlier run left are
// brought up to date where they stand. An object of the same name that is not Berth's is an error finding. Nothing is
// removed: the drop-in of a node that the intent no longer names is reported.
func Add(intent *v1alpha1.TaintIntent, items []*stream.Item) ([]*stream.Item, []finding.Finding, error) {
	a := adder{intent: intent, items: items, wanted: map[string]bool{}, files: haveFiles(items)}
	for _, m := range ConfigMaps(intent) {
		if err := a.add(m); err != nil {
			return nil, nil, fmt.Errorf("ConfigMap %s/%s: %w", m.Metadata.Namespace, m.Metadata.Name, err)
		}
	}
	a.reportLeftovers(items)
	return a.items, a.found, nil
}

type adder struct {
	intent *v1alpha1.TaintIntent
	items  []*stream.Item
	wanted map[string]bool
	files  bool // the host keeps each item in a file, as kpt does; kustomize does not, and would print the annotation
	found  []finding.Finding
}

func haveFiles(items []*stream.Item) bool {
	return slices.ContainsFunc(items, func(i *stream.Item) bool {
		return i.Annotations[kioutil.PathAnnotation] != ""
	})
}

func (a *adder) add(m ConfigMap) error {
	a.wanted[m.Metadata.Name] = true
	node, err := m.Node()
	if err != nil {
		return err
	}
	for _, item := range a.items {
		if item.Kind != m.Kind || item.APIVersion != m.APIVersion || item.Name != m.Metadata.Name || item.Namespace != m.Metadata.Namespace {
			continue
		}
		if !a.ours(item) {
			a.report(finding.Error, "name-taken", item, "has the name of a ConfigMap that berth adds, and is not berth's", "rename it, or the intent")
			return nil
		}
		return bringUpToDate(item, node)
	}
	item := stream.New(node)
	a.items = append(a.items, item)
	if !a.files {
		return nil
	}
	return item.PlaceIn("berth/" + m.Metadata.Name + ".yaml")
}

// ours says whether an earlier run for this intent made an item.
func (a *adder) ours(item *stream.Item) bool {
	return item.Labels[LabelManagedBy] == managedBy && item.Labels[LabelIntent] == a.intent.Metadata.Name
}

func (a *adder) report(severity finding.Severity, code string, item *stream.Item, message, action string) {
	a.found = append(a.found, finding.Finding{
		Code: code, Severity: severity, Message: message, Action: action,
		Object: &finding.Object{APIVersion: item.APIVersion, Kind: item.Kind, Namespace: item.Namespace, Name: item.Name},
	})
}

func (a *adder) reportLeftovers(items []*stream.Item) {
	for _, item := range items {
		if item.Kind == "ConfigMap" && a.ours(item) && !a.wanted[item.Name] {
			a.report(finding.Warning, "drop-in-left-over", item, "is the drop-in of a node that the intent no longer names", "delete it")
		}
	}
}

// bringUpToDate replaces the data of an earlier run's ConfigMap where it differs, and leaves the item alone where not.
func bringUpToDate(item *stream.Item, wanted *yaml.RNode) error {
	have, err := item.Node()
	if err != nil {
		return err
	}
	data := tree.Lookup(wanted.YNode(), "data")
	if same(tree.Lookup(have.YNode(), "data"), data) {
		return nil
	}
	if have, err = item.Edit(); err != nil {
		return err
	}
	return tree.Set(have.YNode(), tree.Path{"data"}, data)
}

// same compares two mappings of strings, whatever their order and style.
func same(a, b *yaml.Node) bool {
	if a == nil || b == nil || len(a.Content) != len(b.Content) {
		return false
	}
	for i := 0; i+1 < len(a.Content); i += 2 {
		other := tree.Lookup(b, a.Content[i].Value)
		if other == nil || other.Value != a.Content[i+1].Value {
			return false
		}
	}
	return true
}
