package toleration

import (
	"errors"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// slot is a podspec slot with what stands in it.
type slot struct {
	podspec.Slot
	root    *yaml.Node // where the slot's paths begin: the item's tree, or that of the text
	text    *text      // nil when the slot stands in the item's tree
	list    *yaml.Node // nil when the list is missing
	entries []entry
}

// open reads what stands in a slot. The error may be a fault of the list.
func open(root *yaml.Node, found podspec.Slot) (slot, error) {
	s := slot{Slot: found, root: root}
	if found.Text != nil {
		text, err := readText(root, found.Text, len(found.Tolerations) == 0)
		if err != nil {
			return s, err
		}
		s.text, s.root = text, text.document.Content[0]
	}
	if list := tree.Lookup(s.root, found.Tolerations...); !tree.IsNull(list) {
		s.list = list
	}
	var err error
	if found.Form == podspec.Line {
		s.entries, err = readLine(s.list)
	} else {
		s.entries, err = readList(s.list)
	}
	if s.list != nil && len(found.Tolerations) == 0 && s.text.made {
		s.list = nil
	}
	return s, err
}

// field is a path of the slot as a reader finds it in the object.
func (s slot) field(path tree.Path) tree.Path { return s.Text.Join(path...) }

// node is the nearest node of the item's own tree.
func (s slot) node(n *yaml.Node) *yaml.Node {
	if s.text != nil {
		return s.text.scalar
	}
	return n
}

// find makes a finding about the slot's list.
func (s slot) find(t target, severity finding.Severity, code string, n *yaml.Node, message string) finding.Finding {
	return t.Find(severity, code, s.field(s.Tolerations), s.node(n), message)
}

// set writes a value at a path of the slot and remembers the edit.
func (r *run) set(t target, s slot, path tree.Path, value *yaml.Node) error {
	if s.text == nil {
		return r.write(t, path, value)
	}
	if len(path) == 0 {
		*s.root = *value
	} else if err := tree.Set(s.root, path, value); err != nil {
		return err
	}
	scalar, err := s.text.encode()
	if err != nil {
		return err
	}
	return r.write(t, s.Text, scalar)
}

// write makes an edit and remembers it.
func (r *run) write(t target, path tree.Path, value *yaml.Node) error {
	edit, err := t.Set(path, value)
	if err != nil {
		return err
	}
	r.out.Edits = append(r.out.Edits, edit)
	return nil
}

// guard notes what stands at a path, since the decision to change nothing relies on it: a base that changes later must
// not slip past that decision.
func (r *run) guard(t target, s slot, path tree.Path) error {
	if s.text != nil {
		path = s.Text
	}
	guard, err := t.GuardAs(path)
	if err != nil {
		return err
	}
	r.out.Edits = append(r.out.Edits, guard)
	return nil
}

// invalid turns a fault of a list into a finding, and tells whether it was one.
func (r *run) invalid(t target, s slot, err error) bool {
	var wrong *fault
	if !errors.As(err, &wrong) {
		return false
	}
	r.add(s.find(t, finding.Error, "tolerations-invalid", wrong.node, wrong.message))
	return true
}

func (r *run) unresolved(t target, s slot) {
	for _, e := range s.entries {
		if e.unresolved {
			f := s.find(t, finding.Warning, "unresolved-variable", e.node,
				"a toleration still holds ${...}, which is replaced later, so that it matches nothing now")
			f.Action = "write the toleration out, or apply berth to what the substitution leaves"
			r.add(f)
		}
	}
}
