package rules

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

// onValue makes a finding about a value, at the file that gave it: the last patch among the build's files that writes this
// very value at the place, or else what check.On finds.
func onValue(p *check.Pass, o *flux.Object, path tree.Path, message, action string) check.Finding {
	f := check.On(o, path, message, action)
	value := text(o.Node(), path...)
	if value == "" {
		return f
	}
	for _, file := range slices.Backward(o.Kustomization.Files) {
		if file == o.Origin.File {
			continue
		}
		if at, found := writes(p, file, o, path, value); found {
			f.Source = at
			return f
		}
	}
	return f
}

// writes says where in a file a patch writes a value of an object.
func writes(p *check.Pass, file string, o *flux.Object, path tree.Path, value string) (finding.Source, bool) {
	for _, root := range p.Repository.Documents(file) {
		candidates := []patch{{documents: []*yaml.Node{root}, file: file}}
		if isKustomization(file) {
			candidates = patchesIn(p.Repository, file, root)
		}
		for _, one := range candidates {
			if !one.isFor(o) {
				continue
			}
			if at := one.valueAt(path, value); at != nil {
				return one.line(at), true
			}
		}
	}
	return finding.Source{}, false
}

// valueAt finds the node in a patch that writes a value to a place.
func (p *patch) valueAt(path tree.Path, value string) *yaml.Node {
	for _, operation := range p.operations() {
		if at := tree.Lookup(operation, "value"); text(operation, "path") == path.Pointer() && at != nil && at.Value == value {
			return at
		}
	}
	for _, root := range p.documents {
		if at := tree.Lookup(root, path...); at != nil && at.Value == value {
			return at
		}
	}
	return nil
}
