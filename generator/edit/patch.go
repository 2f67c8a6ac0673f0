package edit

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// Patch is a JSON6902 patch for one object, as a kustomization refers to it.
type Patch struct {
	// Object is what the patch is for.
	Object finding.Object
	// Operations is the patch: a YAML list of guarded operations.
	Operations *yaml.Node
	// Target selects the object in a kustomization.
	Target Selector
}

// Selector is a kustomize selector. Its fields are regular expressions that kustomize anchors. There is no version: a base
// that moves to another version of an API must not slip past its patch.
type Selector struct {
	Group     string `yaml:"group,omitempty"`
	Kind      string `yaml:"kind"`
	Name      string `yaml:"name"`
	Namespace string `yaml:"namespace,omitempty"`
}

// Patches expresses edits as patches, one for each object, sorted by object. Each operation is guarded by a test of
// what stood there, so that a base that has changed since fails the build instead of losing an entry.
func Patches(edits []Edit) []Patch {
	byObject := map[finding.Object]*yaml.Node{}
	for _, edit := range edits {
		operations := byObject[edit.Object]
		if operations == nil {
			operations = tree.List()
			byObject[edit.Object] = operations
		}
		operations.Content = append(operations.Content, edit.operations()...)
	}
	patches := make([]Patch, 0, len(byObject))
	for object, operations := range byObject {
		patches = append(patches, Patch{Object: object, Operations: operations, Target: targetOf(object)})
	}
	slices.SortFunc(patches, func(a, b Patch) int {
		return cmp.Or(cmp.Compare(a.Object.Kind, b.Object.Kind), cmp.Compare(a.Object.Namespace, b.Object.Namespace),
			cmp.Compare(a.Object.Name, b.Object.Name), cmp.Compare(a.Object.APIVersion, b.Object.APIVersion))
	})
	return patches
}

// operations returns the guard and the change. A test against null passes when the place is missing or null, and only
// then (seen with kustomize v5.8.1).
func (e Edit) operations() []*yaml.Node {
	if e.before != nil {
		at := e.Path.Pointer()
		test := operation("test", at, e.before)
		switch e.kind {
		case guard:
			return []*yaml.Node{test}
		case removed:
			return []*yaml.Node{test, tree.Map("op", tree.Text("remove"), "path", tree.Text(at))}
		}
		return []*yaml.Node{test, operation("replace", at, e.after)}
	}
	at := e.Path[:e.reach+1].Pointer()
	null := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
	if e.kind == guard {
		return []*yaml.Node{operation("test", at, null)}
	}
	return []*yaml.Node{operation("test", at, null), operation("add", at, tree.Wrap(e.Path[e.reach+1:], e.after))}
}

// operation writes text of several lines before the path: kustomize cuts white space off the end of a patch, and the
// text's last line break with it (kustomize v5.8.1).
func operation(op, at string, value *yaml.Node) *yaml.Node {
	if value.Kind == yaml.ScalarNode && strings.Contains(value.Value, "\n") {
		return tree.Map("op", tree.Text(op), "value", value, "path", tree.Text(at))
	}
	return tree.Map("op", tree.Text(op), "path", tree.Text(at), "value", value)
}

// targetOf selects the object. kustomize sets a kustomization's namespace only after its components have run, and takes
// an object without one as being in "default" until then: the target accepts both.
func targetOf(o finding.Object) Selector {
	t := Selector{
		Group: regexp.QuoteMeta(podspec.Group(o.APIVersion)), Kind: o.Kind, Name: regexp.QuoteMeta(o.Name),
	}
	switch o.Namespace {
	case "", "default":
		t.Namespace = o.Namespace
	default:
		t.Namespace = regexp.QuoteMeta(o.Namespace) + "|default"
	}
	return t
}
