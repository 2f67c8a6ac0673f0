package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

var listReplaced = &check.Rule{
	Code: "list-replaced", Group: check.Patches, Severity: finding.Warning,
	Title: "A patch replaces a list, and entries of it are lost",
	Help: `A strategic merge patch merges only lists for which Kubernetes names a merge key, such as containers. tolerations, taints and
every list of a custom resource (spec.patches and postRenderers of Flux, lists in the values of a HelmRelease) are replaced as
a whole. So is a list that a JSON6902 patch writes with add instead of add /-.

Write the whole list into the patch, or append to it: op: add with path .../tolerations/-. Lists of plain values, such as host
names and arguments, are passed over, since replacing them is what such a patch is for.`,
	Environment: func(p *check.Pass) {
		eachLoss(p, func(l loss) {
			if !isTolerations(l.path) {
				p.Report(l.finding("write the whole list into the patch, or append with op: add and path .../-"))
			}
		})
	},
}

var tolerationsReplaced = &check.Rule{
	Code: "tolerations-replaced", Group: check.Patches, Severity: finding.Warning,
	Title: "A patch replaces tolerations, and some of them are lost",
	Help: `tolerations is a list without a merge key: a strategic merge patch that holds two of them leaves two of them, whatever stood
there (kubernetes-sigs/kustomize#4584). A JSON6902 patch with op: add and path .../tolerations does the same.

Write the whole list, or let Berth do it: an allow entry becomes a patch with the merged list, guarded by a test of what it
was made from.`,
	Environment: func(p *check.Pass) {
		eachLoss(p, func(l loss) {
			if isTolerations(l.path) {
				p.Report(l.finding("write the whole list into the patch, or let an allow entry of a TaintIntent write it"))
			}
		})
	},
}

func isTolerations(path tree.Path) bool {
	return len(path) > 0 && strings.HasSuffix(strings.ToLower(path[len(path)-1]), "tolerations")
}

// loss is a list that a patch replaced.
type loss struct {
	object *flux.Object
	path   tree.Path
	at     finding.Source
	lost   []string
	of     int
}

func (l loss) finding(action string) check.Finding {
	f := check.On(l.object, l.path, fmt.Sprintf("the patch replaces the list, and %d of its %d entries are lost: %s", len(l.lost), l.of, some(l.lost, 3)), action)
	f.Source = l.at
	return f
}

// eachLoss goes through the patches of the kustomization.yaml files that the builds read.
func eachLoss(p *check.Pass, found func(loss)) {
	seen := map[string]bool{}
	for _, k := range p.Kustomizations {
		for _, file := range k.Files {
			if !isKustomization(file) || seen[file+k.Path] {
				continue
			}
			for _, root := range p.Repository.Documents(file) {
				for _, patch := range patchesIn(p.Repository, file, root) {
					lossesOf(p, k, patch, found)
				}
			}
		}
		lossesOfSpec(p, k, found)
	}
}

// lossesOfSpec looks at the spec.patches of a Kustomization.
func lossesOfSpec(p *check.Pass, k *flux.Kustomization, found func(loss)) {
	for _, entry := range k.Spec.Patches {
		one := patch{documents: check.Documents([]byte(entry.Patch)), at: k.Place()}
		if entry.Target != nil {
			one.target = selectorOf(entry.Target)
		}
		lossesOf(p, k, one, found)
	}
}

func lossesOf(p *check.Pass, k *flux.Kustomization, patch patch, found func(loss)) {
	if len(patch.documents) == 0 || patch.generated {
		return
	}
	for _, o := range k.Objects {
		if !patch.isFor(o) || isCRD(o) {
			continue
		}
		original := originalOf(p, o)
		if original == nil {
			continue
		}
		for _, list := range patch.lists() {
			base := items(tree.Lookup(original, list.path...))
			if lost := lostFrom(base, list.node, builtList(o, list.path)); len(lost) > 0 {
				found(loss{object: o, path: list.path, at: patch.line(list.node), lost: lost, of: len(base)})
			}
		}
	}
}

// isFor says whether a patch is for an object: by its target, or by the kind and name in it.
func (p *patch) isFor(o *flux.Object) bool {
	if p.target != nil {
		return p.target.selects(o.Node(), true)
	}
	return slices.ContainsFunc(p.documents, func(root *yaml.Node) bool {
		return text(root, "kind") == o.Kind && text(root, "metadata", "name") == o.Name
	})
}

type writtenList struct {
	path tree.Path
	node *yaml.Node
}

// lists are the lists that a patch writes as a whole.
func (p *patch) lists() []writtenList {
	if operations := p.operations(); len(operations) > 0 {
		return listsOfOperations(operations)
	}
	var all []writtenList
	for _, root := range p.documents {
		walk(root, func(path tree.Path, node *yaml.Node) {
			if node.Kind == yaml.SequenceNode && len(path) > 0 {
				all = append(all, writtenList{clone(path), node})
			}
		})
	}
	return all
}

// listsOfOperations are the lists that a JSON6902 patch adds at a place, or, for tolerations, replaces.
func listsOfOperations(operations []*yaml.Node) []writtenList {
	var all []writtenList
	for _, operation := range operations {
		value, op := tree.Lookup(operation, "value"), text(operation, "op")
		if value == nil || value.Kind != yaml.SequenceNode {
			continue
		}
		if path := pointed(text(operation, "path")); op == "add" || op == "replace" && isTolerations(path) {
			all = append(all, writtenList{path, value})
		}
	}
	return all
}

// pointed is the path that a JSON pointer names (RFC 6901).
func pointed(pointer string) tree.Path {
	var path tree.Path
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return path
}

// originalOf is the object as it stands in its own file.
func originalOf(p *check.Pass, o *flux.Object) *yaml.Node {
	if o.Origin.File == "" || o.Origin.Generator != "" {
		return nil
	}
	for _, root := range p.Repository.Documents(o.Origin.File) {
		if text(root, "kind") == o.Kind && text(root, "metadata", "name") == o.Name {
			return root
		}
	}
	return nil
}

// builtList is a list of an object before variables were replaced.
func builtList(o *flux.Object, path tree.Path) *yaml.Node {
	root := o.Node()
	if o.Template != "" {
		root = parse(o.Template)
	}
	return tree.Lookup(root, path...)
}

// lostFrom names the entries of the base's list that are gone. When the built list is not what the patch says, the two
// were merged, or another patch came after.
func lostFrom(base []*yaml.Node, written, built *yaml.Node) []string {
	if len(base) == 0 || base[0].Kind != yaml.MappingNode || built == nil || !same(written, built) {
		return nil // to replace a list of plain values, such as host names, is what such a patch is for
	}
	var lost []string
	for _, entry := range base {
		name := text(entry, "name")
		kept := slices.ContainsFunc(items(written), func(other *yaml.Node) bool {
			return same(entry, other) || name != "" && text(other, "name") == name
		})
		if !kept {
			lost = append(lost, describe(entry))
		}
	}
	return lost
}

func same(a, b *yaml.Node) bool {
	var x, y any
	return a.Decode(&x) == nil && b.Decode(&y) == nil && reflect.DeepEqual(x, y)
}

// describe writes an entry on one line.
func describe(node *yaml.Node) string {
	if node.Kind == yaml.ScalarNode {
		return node.Value
	}
	var parts []string
	for _, key := range keys(node) {
		if value := tree.Lookup(node, key); value != nil && value.Kind == yaml.ScalarNode {
			parts = append(parts, key+": "+value.Value)
		}
	}
	return "{" + strings.Join(parts[:min(len(parts), 3)], ", ") + "}"
}
