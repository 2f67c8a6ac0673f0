package toleration

import "github.com/berth-dev/berth/generator/edit"

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
