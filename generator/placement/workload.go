package placement

import (
	"cmp"
	"strings"

	"github.com/berth-dev/berth/generator/finding"
)

// Workload is one place of an object of the render where the scheduling fields of pods stand.
type Workload struct {
	// Object is the object.
	Object finding.Object
	// Place is where in the object the tolerations stand; only for an object with several places, or a chart's values.
	Place string
	// Source is where the object stands.
	Source finding.Source

	pod *pod
}

// String returns Kind namespace/name, and the place when the object has several.
func (w *Workload) String() string {
	if w.Place == "" {
		return w.Object.String()
	}
	return w.Object.String() + " " + w.Place
}

// Is tells whether a person means this workload by Kind/namespace/name, or Kind/name.
func (w *Workload) Is(text string) bool {
	o := w.Object
	switch parts := strings.Split(text, "/"); len(parts) {
	case 2:
		return strings.EqualFold(parts[0], o.Kind) && parts[1] == o.Name
	case 3:
		return strings.EqualFold(parts[0], o.Kind) && parts[1] == o.Namespace && parts[2] == o.Name
	}
	return false
}

func (w *Workload) compare(other *Workload) int {
	a, b := w.Object, other.Object
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(w.Place, other.Place))
}
