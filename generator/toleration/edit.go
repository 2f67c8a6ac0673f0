package toleration

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/podspec"
)

// Edit is one place of one object that was changed.
type Edit = edit.Edit

// Patch is a guarded patch for one object.
type Patch = edit.Patch

// Target selects an object in a kustomization.
type Target = edit.Selector

// Patches expresses edits as patches, one for each object.
func Patches(edits []Edit) []Patch { return edit.Patches(edits) }

// target is an object of the render that an entry may select.
type target = edit.Target

// slotsOf returns the target's tree and its slots.
func slotsOf(t target, c carrierOf) (*yaml.Node, []podspec.Slot, error) {
	root, err := t.Item.Node()
	if err != nil {
		return nil, nil, err
	}
	slots, err := podspec.Slots(root.YNode(), t.Object, c.Carrier)
	return root.YNode(), slots, err
}
