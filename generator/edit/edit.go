package edit

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

// Edit is one place of one object that was changed, or that a change relies on.
type Edit struct {
	// Object is what was changed.
	Object finding.Object
	// Path is the place in the object, such as spec.template.spec.tolerations.
	Path tree.Path

	kind   kind
	before *yaml.Node // what stood at Path; nil when the place was missing or null
	after  *yaml.Node // what stands there now; nil when it was removed
	reach  int        // how many steps of Path were there before
}

type kind int

const (
	written kind = iota
	removed
	guard
)

// IsGuard says whether the edit changes nothing: a change relies on what stands there.
func (e Edit) IsGuard() bool { return e.kind == guard }

// Set writes a value into the target's tree, with the mappings that lead there. path begins at the item's root, so that
// it leads through the List that a target may stand in. The tree keeps the value's comments.
func (t Target) Set(path tree.Path, value *yaml.Node) (Edit, error) {
	e, root, err := t.begin(path)
	if err != nil {
		return Edit{}, err
	}
	reached, err := tree.Reach(root, path)
	if err != nil {
		return Edit{}, err
	}
	e.after, e.reach = plain(value), reached-len(t.Object.At)
	if reached == len(path) {
		e.before = plain(tree.Lookup(root, path...))
	}
	return e, tree.Set(root, path, value)
}

// Remove takes away what stands at a path: a key with its value, or an item of a list. What is not there is an error.
func (t Target) Remove(path tree.Path) (Edit, error) {
	e, root, err := t.begin(path)
	if err != nil {
		return Edit{}, err
	}
	found := tree.Lookup(root, path...)
	if found == nil {
		return Edit{}, fmt.Errorf("remove %s: there is nothing", e.Path)
	}
	e.kind, e.before = removed, plain(found)
	tree.Remove(root, path)
	return e, nil
}

// Guard changes nothing. It notes a value on which the edits after it rely, such as the name of the container that they
// reach by its index.
func (t Target) Guard(path tree.Path) (Edit, error) {
	root, err := t.Item.Node()
	if err != nil {
		return Edit{}, err
	}
	inside := path[len(t.Object.At):]
	found := tree.Lookup(root.YNode(), path...)
	if found == nil {
		return Edit{}, fmt.Errorf("guard %s: there is nothing", inside)
	}
	return Edit{Object: *t.Ref(), Path: inside, kind: guard, before: plain(found)}, nil
}

// GuardAs notes what stands at a path, nothing included, on which a decision to change nothing relies.
func (t Target) GuardAs(path tree.Path) (Edit, error) {
	root, err := t.Item.Node()
	if err != nil {
		return Edit{}, err
	}
	reached, err := tree.Reach(root.YNode(), path)
	if err != nil {
		return Edit{}, err
	}
	e := Edit{Object: *t.Ref(), Path: path[len(t.Object.At):], kind: guard, reach: reached - len(t.Object.At)}
	if reached == len(path) {
		e.before = plain(tree.Lookup(root.YNode(), path...))
	}
	return e, nil
}

// Changes tells whether the edit changed something.
func (e Edit) Changes() bool { return e.kind != guard }

func (t Target) begin(path tree.Path) (Edit, *yaml.Node, error) {
	root, err := t.Item.Edit()
	if err != nil {
		return Edit{}, nil, err
	}
	return Edit{Object: *t.Ref(), Path: path[len(t.Object.At):]}, root.YNode(), nil
}

// plain copies a value without its comments, which belong to the file that it came from. The copy stays as it is when a
// later edit changes something inside the value.
func plain(value *yaml.Node) *yaml.Node {
	out := *value
	out.HeadComment, out.LineComment, out.FootComment = "", "", ""
	out.Content = make([]*yaml.Node, len(value.Content))
	for i, child := range value.Content {
		out.Content[i] = plain(child)
	}
	return &out
}
