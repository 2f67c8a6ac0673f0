package podspec

import (
	"fmt"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// sourceWith finds the one source of an Argo CD Application that has one of some keys: spec.source, or an item of
// spec.sources, which wins when both are there (argo-cd docs, Multiple Sources).
func sourceWith(root *yaml.Node, o Object, keys ...string) (tree.Path, error) {
	sources := o.At.Join("spec", "sources")
	list := tree.Lookup(root, sources...)
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return o.At.Join("spec", "source"), nil
	}
	var found []tree.Path
	for i, source := range list.Content {
		for _, key := range keys {
			if tree.Lookup(source, key) != nil {
				found = append(found, sources.Join(strconv.Itoa(i)))
				break
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(list.Content) == 1:
		return sources.Join("0"), nil
	}
	return nil, fmt.Errorf("spec.sources has %d sources of which %d have %s: name the place in paths, such as [spec.sources[0].helm.valuesObject.tolerations]", len(list.Content), len(found), keys[0])
}

// applicationSlot finds a value of a chart that an Argo CD Application installs. valuesObject wins over values as a whole
// (argo-cd docs, Helm), so that where it is there nothing in values counts.
func applicationSlot(root *yaml.Node, o Object, value tree.Path) (Slot, error) {
	source, err := sourceWith(root, o, "chart", "helm")
	if err != nil {
		return Slot{}, err
	}
	if tree.Lookup(root, source.Join("kustomize")...) != nil {
		return Slot{}, fmt.Errorf("%s is a kustomization, which has no values: name the pods in pods", source)
	}
	object, text := source.Join("helm", "valuesObject"), source.Join("helm", "values")
	if tree.IsNull(tree.Lookup(root, object...)) && !tree.IsNull(tree.Lookup(root, text...)) {
		return valueInText(text, value), nil
	}
	return valueAt(object, value), nil
}
