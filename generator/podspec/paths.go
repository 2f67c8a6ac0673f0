package podspec

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// named returns the places that the intent names in the object. What it spells out is made where it is missing; what it
// leaves to [] and {} is there or not.
func named(root *yaml.Node, o Object, carrier v1alpha1.Carrier) (Places, error) {
	var places Places
	there := func(path tree.Path) bool { return !tree.IsNull(tree.Lookup(root, path...)) }
	tables := known(o)
	for i, text := range carrier.Paths {
		pattern, err := tree.Parse(text)
		if err != nil {
			return Places{}, err
		}
		if len(tables) > 0 && !slices.ContainsFunc(tables, func(p string) bool { return Covers(mustParse(p), pattern) }) {
			places.Unlisted = append(places.Unlisted, text)
		}
		found := tree.Expand(root, o.At.Join(pattern...))
		if len(found) == 0 {
			places.Absent = append(places.Absent, pattern)
		}
		for _, path := range found {
			slot := Slot{Tolerations: path}
			slot.placeAffinity(o)
			if i < len(carrier.NodeAffinity) {
				if slot.NodeAffinity, err = affinityFor(carrier.NodeAffinity[i], pattern, path[len(o.At):]); err != nil {
					return Places{}, err
				}
				slot.NodeAffinity = o.At.Join(slot.NodeAffinity...)
				slot.Affinity = nil
			}
			if !creatable(there, path) {
				places.Made = append(places.Made, path[len(o.At):])
			}
			places.Slots = append(places.Slots, slot)
		}
	}
	return places, nil
}

// affinityFor fills the brackets of an affinity's path with what those of the tolerations' path stood for.
func affinityFor(text string, pattern, concrete tree.Path) (tree.Path, error) {
	affinity, err := tree.Parse(text)
	if err != nil {
		return nil, err
	}
	for i := range affinity {
		if i >= len(pattern) || affinity[i] != pattern[i] {
			break
		}
		affinity[i] = concrete[i]
	}
	return affinity, nil
}

// Covers tells whether a pattern stands for a path, which may be a pattern itself.
func Covers(pattern, path tree.Path) bool {
	return slices.EqualFunc(pattern, path, func(a, b string) bool { return a == b || a == "[]" || a == "{}" })
}

// KnownPaths returns the paths that the tables have for a kind.
func KnownPaths(o Object) []string { return known(o) }
