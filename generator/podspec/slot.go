package podspec

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// Slot is one place in an object where the scheduling fields of pods stand.
type Slot struct {
	// Tolerations is the path of the list, which need not exist yet. It begins at the item's root, or, where Text is set,
	// at the root of the text.
	Tolerations tree.Path
	// Affinity is the path of the pods' Affinity, which need not exist yet; nil where it is not known.
	Affinity tree.Path
	// NodeAffinity is the path of the pods' NodeAffinity, which need not exist yet; nil where it is not known. It begins
	// where Tolerations does.
	NodeAffinity tree.Path
	// Text is the path of a string that holds the slot as YAML of its own, such as a HelmChart's spec.valuesContent; nil
	// where the slot stands in the object itself.
	Text tree.Path
	// Form is how the tolerations are written.
	Form Form
	// ChartDefaults says that a chart fills in what the object leaves out, so that an absent list is not an empty one.
	ChartDefaults bool
	// Values is the path as a values file has it, for a slot in the values of a chart.
	Values tree.Path
	// Pod is what a patch changes, for the form Patch. Tolerations is then the list of patches, or, where Renderers is
	// set, the list of a HelmRelease's postRenderers.
	Pod       v1alpha1.Pod
	Renderers bool
}

// Form is a way to write tolerations down.
type Form int

// The forms.
const (
	// List is Kubernetes' list of tolerations.
	List Form = iota
	// Line is Longhorn's line, key=value:Effect;key:Effect (longhorn.io docs, Kubernetes taint toleration).
	Line
	// Patch is a kustomize patch for a pod that something else renders.
	Patch
)

// Object is an object inside an item: the item itself, or an object inside a List.
type Object struct {
	APIVersion, Kind, Namespace, Name string
	Labels, Annotations               map[string]string
	// At is the object's path in the item's tree: empty, or items and an index.
	At tree.Path
}

// Places are the slots of an object.
type Places struct {
	Slots []Slot
	// Absent are the places that the kind has and this object does not, and that must not be made for it.
	Absent []tree.Path
	// Unlisted are paths of the intent that the tables do not have for the kind, although they have others.
	Unlisted []string
	// Made are the places of the intent for which parents have to be made that may switch a feature on.
	Made []tree.Path
}

// IsList says whether a kind only wraps other objects, as `kubectl get -o yaml` prints them.
func IsList(apiVersion, kind string) bool {
	return kind == "List" && apiVersion == "v1"
}

// Slots returns the places in an object where tolerations stand. root is the whole item's tree. A kind that has none,
// and of which the intent says none, is an error: an edit that does nothing must not pass for one that worked.
func Slots(root *yaml.Node, object Object, carrier v1alpha1.Carrier) ([]Slot, error) {
	places, err := Find(root, object, carrier)
	return places.Slots, err
}

// Find returns the places in an object where tolerations stand, as Slots does, and those where they cannot.
func Find(root *yaml.Node, object Object, carrier v1alpha1.Carrier) (Places, error) {
	switch {
	case len(carrier.Paths) > 0:
		return named(root, object, carrier)
	case len(carrier.Pods) > 0 || carrier.Helm != nil || needsPlaces(object):
		return inside(root, object, carrier)
	case isService(object):
		return serviceLB(root, object)
	}
	if err := refused(object); err != nil {
		return Places{}, err
	}
	return tabled(root, object, known(object)), nil
}

// tabled lays patterns over an object.
func tabled(root *yaml.Node, object Object, patterns []string) Places {
	var places Places
	there := func(path tree.Path) bool { return !tree.IsNull(tree.Lookup(root, path...)) }
	for _, pattern := range patterns {
		full := object.At.Join(mustParse(pattern)...)
		found := tree.Expand(root, full)
		if len(found) == 0 {
			places.Absent = append(places.Absent, full[len(object.At):])
		}
		for _, path := range found {
			if !isBuiltin(object) && !creatable(there, path) {
				places.Absent = append(places.Absent, path[len(object.At):])
				continue
			}
			slot := Slot{Tolerations: path}
			slot.placeAffinity(object)
			places.Slots = append(places.Slots, slot)
		}
	}
	return places
}

func isBuiltin(o Object) bool { return find(builtin, Group(o.APIVersion), o.Kind) != nil }
