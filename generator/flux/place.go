package flux

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

// SourceOf returns the file and line of a place in the object. When the object's own file has the place, it is that one;
// otherwise a patch among the build's files that has it; otherwise the deepest part of the path that the object's own
// file has.
func (o *Object) SourceOf(path tree.Path) finding.Source {
	if o.Kustomization == nil || o.checkout == nil {
		return o.Source()
	}
	own, ok := find(o.checkout.documents(o.Origin.File), o)
	if !ok {
		own = document{}
	}
	line, depth := own.reach(path)
	if depth == len(path) && ok {
		return finding.Source{File: o.Origin.File, Line: line}
	}
	if patch, found := o.patchAt(path, own.Name); found {
		return patch
	}
	if !ok {
		return o.Source()
	}
	return finding.Source{File: o.Origin.File, Line: line}
}

// patchAt looks for the last patch of this object, among the files that the build read, that has the place. The object may
// have had another name when it was patched.
func (o *Object) patchAt(path tree.Path, before string) (finding.Source, bool) {
	for _, file := range slices.Backward(o.Kustomization.Files) {
		for _, d := range slices.Backward(o.checkout.documents(file)) {
			if d.Kind != o.Kind || d.Name != o.Name && d.Name != before || len(path) == 0 {
				continue
			}
			if line, depth := d.reach(path); depth == len(path) {
				return finding.Source{File: file, Line: line}, true
			}
		}
	}
	return finding.Source{}, false
}

// reach follows a path as far as the document has it. The line is that of the last key or list entry on the way.
func (d document) reach(path tree.Path) (line, depth int) {
	if d.node == nil {
		return 0, -1
	}
	line = d.line(d.node)
	for i := range path {
		at := tree.Lookup(d.node, path[:i+1]...)
		if at == nil {
			return line, i
		}
		line = d.line(at)
		if key := keyOf(tree.Lookup(d.node, path[:i]...), path[i]); key != nil {
			line = d.line(key)
		}
	}
	return line, len(path)
}

func keyOf(mapping *yaml.Node, key string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i]
		}
	}
	return nil
}
