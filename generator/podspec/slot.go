package podspec

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// Slot is one place in an object where the scheduling fields of pods stand.
type Slot struct {
	// Tolerations is the path of the list, which need not exist yet.
	Tolerations tree.Path
	// Affinity is the path of the affinity, which need not exist yet.
	Affinity tree.Path
	// ChartDefaults says that a chart fills in what the object leaves out, so that an absent list is not an empty one.
	ChartDefaults bool
}

// Object is an object inside an item: the item itself, or an object inside a List.
type Object struct {
	APIVersion, Kind, Namespace, Name string
	Labels                            map[string]string
	// At is the object's path in the item's tree: empty, or items and an index.
	At tree.Path
}

// IsList says whether a kind only wraps other objects, as `kubectl get -o yaml` prints them.
func IsList(apiVersion, kind string) bool {
	return kind == "List" && apiVersion == "v1"
}

// Slots returns the places in an object where tolerations stand. root is the whole item's tree. A kind that has none,
// and of which the intent says none, is an error: an edit that does nothing must not pass for one that worked.
func Slots(root *yaml.Node, object Object, carrier v1alpha1.Carrier) ([]Slot, error) {
	if isHelmRelease(object) {
		return helmSlots(object, carrier)
	}
	found := patterns(object.APIVersion, object.Kind)
	if len(found) == 0 {
		return nil, fmt.Errorf("%s of %s is not a kind that is known to carry tolerations", object.Kind, object.APIVersion)
	}
	var slots []Slot
	for _, pattern := range found {
		for _, path := range tree.Expand(root, object.At.Join(pattern...)) {
			slots = append(slots, Slot{Tolerations: path, Affinity: path.Beside("affinity")})
		}
	}
	return slots, nil
}
