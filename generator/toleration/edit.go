package toleration

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// Edit is one place of one object that was changed.
type Edit struct {
	// Object is what was changed.
	Object finding.Object
	// Path is the place in the object, such as spec.template.spec.tolerations.
	Path tree.Path

	before *yaml.Node // what stood at Path; nil when the place was missing or null
	after  *yaml.Node // what stands there now
	reach  int        // how many steps of Path were there before
}

// write sets a value in the target's tree and returns the edit. The tree keeps the value's comments.
func (t target) write(path tree.Path, value *yaml.Node) (Edit, error) {
	root, err := t.item.Edit()
	if err != nil {
		return Edit{}, err
	}
	inside := path[len(t.object.At):]
	edit := Edit{Object: *t.ref(), Path: inside, after: value}
	reached, err := tree.Reach(root.YNode(), path)
	if err != nil {
		return Edit{}, err
	}
	edit.reach = reached - len(t.object.At)
	if reached == len(path) {
		edit.before = tree.Lookup(root.YNode(), path...)
	}
	return edit, tree.Set(root.YNode(), path, value)
}

// slotsOf returns the target's tree and its slots.
func (t target) slotsOf(c carrierOf) (*yaml.Node, []podspec.Slot, error) {
	root, err := t.item.Node()
	if err != nil {
		return nil, nil, err
	}
	slots, err := podspec.Slots(root.YNode(), t.object, c.Carrier)
	return root.YNode(), slots, err
}
