package live

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// Operation is what happens to a taint or a label.
type Operation string

// The operations.
const (
	Add      Operation = "add"
	Change   Operation = "change"
	Remove   Operation = "remove"
	Adopt    Operation = "adopt"  // it is there already; Berth writes down that it is the intent's
	Forget   Operation = "forget" // what the annotation lists is not there any more
	Uncordon Operation = "uncordon"
)

// Delta is one thing that changes on a node.
type Delta struct {
	Operation Operation `json:"operation"`
	// Taint is key=value:Effect; empty for a label.
	Taint string `json:"taint,omitempty"`
	// Label is key=value; empty for a taint.
	Label string `json:"label,omitempty"`
	// Before is the value that is replaced.
	Before string `json:"before,omitempty"`
}

// outcome is what a node should have.
type outcome struct {
	deltas []Delta
	patch  map[string]any // nil when nothing changes
}

// merge decides what a node gets. node is the object as the server sent it, so that fields which this program does not
// know survive. Taints that no intent of this run wants or owned keep their place, their value and their timeAdded.
func merge(node *unstructured.Unstructured, w *want) (outcome, error) {
	before, err := readOwnership(node.GetName(), node.GetAnnotations())
	if err != nil {
		return outcome{}, err
	}
	current, _, err := unstructured.NestedSlice(node.Object, "spec", "taints")
	if err != nil {
		return outcome{}, fmt.Errorf("node %s: %w", node.GetName(), err)
	}
	taints, deltas := mergeTaints(current, w.taints(), w.leftTaints(before), before.taints())
	labels, more := mergeLabels(node.GetLabels(), w.labels(), w.leftLabels(before), before.labels())
	deltas = append(deltas, more...)
	annotation := w.owned(before).String()
	if annotation == node.GetAnnotations()[Annotation] && len(deltas) == 0 {
		return outcome{}, nil
	}
	if len(deltas) == 0 {
		deltas = []Delta{{Operation: Forget}}
	}
	meta := map[string]any{"resourceVersion": node.GetResourceVersion(), "annotations": map[string]any{Annotation: orNull(annotation)}}
	if len(labels) > 0 {
		meta["labels"] = labels
	}
	patch := map[string]any{"metadata": meta}
	if taints != nil {
		patch["spec"] = map[string]any{"taints": taints}
	}
	return outcome{deltas: deltas, patch: patch}, nil
}

// orNull is what removes a field in a merge patch (RFC 7396).
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// mergeTaints returns the whole new list, nil when it is the old one.
func mergeTaints(current []any, wanted []v1alpha1.Taint, gone map[pair]bool, owners map[pair][]string) (next []any, deltas []Delta) {
	changed := false
	next = []any{}
	there := map[pair]bool{}
	for _, entry := range current {
		has := taintIn(entry)
		p := pairOf(has)
		should, isWanted := withPair(wanted, p)
		var operation Operation // none: it stays as it is
		if isWanted {
			operation = onWanted(has, should, there[p], len(owners[p]) > 0)
		} else if gone[p] && has.Controller() == "" {
			operation = Remove
		}
		there[p] = true
		switch operation {
		case Remove:
			deltas, changed = append(deltas, Delta{Operation: Remove, Taint: has.String()}), true
			continue
		case Change:
			deltas, changed = append(deltas, Delta{Operation: Change, Taint: should.String(), Before: has.Value}), true
			entry = taintEntry(should)
		case Adopt:
			deltas = append(deltas, Delta{Operation: Adopt, Taint: should.String()})
		}
		next = append(next, entry)
	}
	for _, t := range wanted {
		if !there[pairOf(t)] {
			deltas = append(deltas, Delta{Operation: Add, Taint: t.String()})
			next, changed = append(next, taintEntry(t)), true
		}
	}
	if !changed {
		return nil, deltas
	}
	return next, deltas
}

// onWanted says what becomes of a taint of a pair that is wanted.
func onWanted(has, should v1alpha1.Taint, twice, owned bool) Operation {
	switch {
	case twice: // no API server lets that in, and none would take it back
		return Remove
	case should.Value != has.Value:
		return Change
	case !owned:
		return Adopt
	}
	return ""
}

// mergeLabels returns what a merge patch of the labels holds.
func mergeLabels(current, wanted map[string]string, gone map[string]bool, owners map[string][]string) (patch map[string]any, deltas []Delta) {
	patch = map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		has, there := current[key]
		delta := Delta{Operation: Add, Label: key + "=" + wanted[key]}
		switch {
		case there && has == wanted[key] && len(owners[key]) > 0:
			continue
		case there && has == wanted[key]:
			delta.Operation = Adopt
		case there:
			delta.Operation, delta.Before = Change, has
		}
		deltas = append(deltas, delta)
		if delta.Operation != Adopt {
			patch[key] = wanted[key]
		}
	}
	for _, key := range slices.Sorted(maps.Keys(gone)) {
		if has, there := current[key]; there {
			deltas = append(deltas, Delta{Operation: Remove, Label: key + "=" + has})
			patch[key] = nil
		}
	}
	return patch, deltas
}

func taintIn(entry any) v1alpha1.Taint {
	m, _ := entry.(map[string]any)
	text := func(field string) string { s, _ := m[field].(string); return s }
	return v1alpha1.Taint{Key: text("key"), Value: text("value"), Effect: v1alpha1.Effect(text("effect"))}
}

func taintEntry(t v1alpha1.Taint) map[string]any {
	entry := map[string]any{"key": t.Key, "effect": string(t.Effect)}
	if t.Value != "" {
		entry["value"] = t.Value
	}
	return entry
}

// String says what changes, such as "+ berth.dev/wsl=flaky:NoSchedule".
func (d Delta) String() string {
	what := cmp.Or(d.Taint, d.Label)
	switch d.Operation {
	case Add:
		return "+ " + what
	case Remove:
		return "- " + what
	case Change:
		return fmt.Sprintf("~ %s (was %q)", what, d.Before)
	case Adopt:
		return "= " + what + " (is there; becomes the intent's)"
	case Uncordon:
		return "uncordon"
	default:
		return "= annotation " + Annotation + " (what it lists is gone)"
	}
}
