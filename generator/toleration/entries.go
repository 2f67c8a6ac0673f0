package toleration

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// Entry is one toleration of a list, as the API server reads it.
type Entry struct {
	corev1.Toleration
	// Node is the entry in the tree.
	Node *yaml.Node
	// Unresolved says that a part still holds ${...}: nobody knows yet what it tolerates.
	Unresolved bool
}

// Fault is what the API server would refuse in a list of tolerations.
type Fault struct {
	// Node is what is wrong.
	Node *yaml.Node
	// Message says why, in one sentence.
	Message string
}

func (f *Fault) Error() string { return f.Message }

// ReadList reads a list of tolerations. A list that is missing or null is empty. The error is a Fault.
func ReadList(list *yaml.Node) ([]Entry, error) {
	entries, err := readList(list)
	var wrong *fault
	if errors.As(err, &wrong) {
		return nil, &Fault{wrong.node, wrong.message}
	}
	all := make([]Entry, len(entries))
	for i, e := range entries {
		all[i] = Entry{e.Toleration, e.node, e.unresolved}
	}
	return all, err
}

func (e Entry) inner() *entry { return &entry{e.Toleration, e.Node, e.Unresolved} }

// Blanket says whether the entry tolerates taints whose key it does not name.
func (e Entry) Blanket() bool { return e.inner().blanket() }

// Tolerates says whether the entry matches a taint.
func (e Entry) Tolerates(t v1alpha1.Taint) bool { return e.inner().tolerates(t) }

// Names says whether the entry tolerates a taint by its own key.
func (e Entry) Names(t v1alpha1.Taint) bool { return e.inner().names(t) }

// Opens says whether a pod with these tolerations may be scheduled on a node with these taints.
func Opens(entries []Entry, taints []v1alpha1.Taint) bool {
	all := make([]entry, len(entries))
	for i, e := range entries {
		all[i] = *e.inner()
	}
	return opens(all, taints)
}
