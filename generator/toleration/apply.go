package toleration

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// Outcome is what an intent did to a render.
type Outcome struct {
	// Edits are the changes, in the order in which they were made.
	Edits []Edit
	// Findings say what was done and what could not be done. An error among them means that the items must not be used.
	Findings []finding.Finding
}

// Apply changes the items as the intent says. The error is for a render that cannot be read; what is wrong with an
// entry or an object of it is a finding.
func Apply(intent *v1alpha1.TaintIntent, items []*stream.Item) (*Outcome, error) {
	all, err := edit.Targets(items)
	if err != nil {
		return nil, err
	}
	run := &run{intent: intent, targets: all, decided: map[int]bool{}}
	for i, allow := range intent.Spec.Allow {
		run.each(entryOf("allow", i, allow.Workload, allow.Carrier, allow.Optional), func(t target, slot slot) error {
			return run.allow(t, slot, intent.TaintsByName(allow.Tolerate))
		})
	}
	for i, deny := range intent.Spec.Deny {
		run.each(entryOf("deny", i, deny.Workload, deny.Carrier, deny.Optional), run.deny)
	}
	run.undecided()
	return &run.out, nil
}

// run is one application of an intent.
type run struct {
	intent  *v1alpha1.TaintIntent
	targets []target
	decided map[int]bool // indices of the targets that an entry selects
	out     Outcome
}

// carrierOf is what an entry of either list has.
type carrierOf struct {
	v1alpha1.Carrier
	workload v1alpha1.Workload
	place    string // allow[0]
	optional bool
}

func entryOf(list string, i int, w v1alpha1.Workload, c v1alpha1.Carrier, optional bool) carrierOf {
	return carrierOf{Carrier: c, workload: w, place: fmt.Sprintf("%s[%d]", list, i), optional: optional}
}

// slot is a podspec slot with what stands in it.
type slot struct {
	podspec.Slot
	root    *yaml.Node
	list    *yaml.Node // nil when the list is missing
	entries []entry
}

// each calls do for every slot of every target that the entry selects.
func (r *run) each(c carrierOf, do func(target, slot) error) {
	matched := false
	for i, t := range r.targets {
		if !t.Matches(c.workload) {
			continue
		}
		matched = true
		r.decided[i] = true
		if err := r.eachSlot(t, c, do); err != nil {
			r.add(t.Find(finding.Error, "carrier", nil, nil, err.Error()))
		}
	}
	if !matched {
		r.nothingMatched(c)
	}
}

func (r *run) eachSlot(t target, c carrierOf, do func(target, slot) error) error {
	root, slots, err := slotsOf(t, c)
	if err != nil {
		return err
	}
	for _, s := range slots {
		list := tree.Lookup(root, s.Tolerations...)
		if tree.IsNull(list) {
			list = nil
		}
		entries, err := readList(list)
		var wrong *fault
		if errors.As(err, &wrong) {
			r.add(t.Find(finding.Error, "tolerations-invalid", s.Tolerations, wrong.node, wrong.message))
			continue
		}
		r.unresolved(t, s, entries)
		if err := do(t, slot{Slot: s, root: root, list: list, entries: entries}); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) add(f finding.Finding) { r.out.Findings = append(r.out.Findings, f) }

// write makes an edit and remembers it.
func (r *run) write(t target, path tree.Path, value *yaml.Node) error {
	edit, err := t.Set(path, value)
	if err != nil {
		return err
	}
	r.out.Edits = append(r.out.Edits, edit)
	return nil
}

func (r *run) unresolved(t target, s podspec.Slot, entries []entry) {
	for _, e := range entries {
		if e.unresolved {
			f := t.Find(finding.Warning, "unresolved-variable", s.Tolerations, e.node,
				"a toleration still holds ${...}, which is replaced later, so that it matches nothing now")
			f.Action = "write the toleration out, or apply berth to what the substitution leaves"
			r.add(f)
		}
	}
}

func (r *run) nothingMatched(c carrierOf) {
	f := finding.Finding{
		Code: "matches-nothing", Severity: finding.Error, Field: "spec." + c.place + ".workload",
		Message: fmt.Sprintf("%s (%s) matches nothing in this render", c.place, c.workload),
		Action:  "correct it, or say optional: true when not every render holds it",
	}
	if position := r.intent.Position(f.Field); position.Line > 0 {
		f.Source = finding.Source{File: position.File, Line: position.Line}
	}
	if c.optional {
		f.Severity, f.Action = finding.Info, ""
	}
	r.add(f)
}

// undecided reports each DaemonSet that neither list names. A DaemonSet goes to every node that lets it, so that
// somebody should have decided.
func (r *run) undecided() {
	for i, t := range r.targets {
		if r.decided[i] || t.Object.Kind != "DaemonSet" || podspec.Group(t.Object.APIVersion) != "apps" {
			continue
		}
		f := t.Find(finding.Warning, "daemonset-undecided", nil, nil, "stands neither in allow nor in deny")
		f.Action = "decide whether it runs on the tainted nodes, and write down why"
		r.add(f)
	}
}
