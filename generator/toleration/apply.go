package toleration

import (
	"fmt"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
)

// Outcome is what an intent did to a render.
type Outcome struct {
	// Edits are the changes, in the order in which they were made.
	Edits []Edit
	// Findings say what was done and what could not be done. An error among them means that the items must not be used.
	Findings []finding.Finding
}

// Apply changes the items as the intent says. The error is for a render that cannot be read; what is wrong with an
// entry or an object of it is a finding. Entries with helmValues are about files: Overlays carries them out.
func Apply(intent *v1alpha1.TaintIntent, items []*stream.Item) (*Outcome, error) {
	all, err := edit.Targets(items)
	if err != nil {
		return nil, err
	}
	run := newRun(intent, all)
	for _, e := range entries(intent) {
		if e.HelmValues != nil {
			run.elsewhere(e)
			continue
		}
		run.each(e)
	}
	run.undecided()
	run.outside()
	run.unused()
	run.hidden()
	run.labelsForApply()
	return &run.out, nil
}

// run is one application of an intent.
type run struct {
	intent  *v1alpha1.TaintIntent
	targets []target
	byKind  map[string][]int // indices of the targets of a kind, since most objects of a render are of no interest
	decided map[int]bool     // indices of the targets that an entry selects
	// decisions holds the entry that decided about a place of an object.
	decisions map[string]string
	out       Outcome
}

func newRun(intent *v1alpha1.TaintIntent, targets []target) *run {
	r := &run{intent: intent, targets: targets, byKind: map[string][]int{}, decided: map[int]bool{}, decisions: map[string]string{}}
	for i, t := range targets {
		r.byKind[t.Object.Kind] = append(r.byKind[t.Object.Kind], i)
	}
	return r
}

// each carries an entry out on every target that it selects.
func (r *run) each(e carrierOf) {
	matched := false
	for _, i := range r.byKind[e.workload.Kind] {
		t := r.targets[i]
		if !t.Matches(e.workload) {
			continue
		}
		matched = true
		r.decided[i] = true
		if err := podspec.Packaged(r.intent.Spec.Distribution, r.intent.Spec.Disable, t.Object); err != nil {
			r.add(t.Find(finding.Error, "packaged-component", nil, nil, err.Error()))
			continue
		}
		if err := r.carryOut(t, e); err != nil {
			r.add(t.Find(finding.Error, "carrier", nil, nil, err.Error()))
		}
	}
	if !matched {
		r.nothingMatched(e)
	}
}

func (r *run) add(f finding.Finding) { r.out.Findings = append(r.out.Findings, f) }

func (r *run) nothingMatched(e carrierOf) {
	f := finding.Finding{
		Code: "matches-nothing", Severity: finding.Error, Field: "spec." + e.place + ".workload",
		Message: fmt.Sprintf("%s (%s) matches nothing in this render", e.place, e.workload),
		Action:  "correct it, or say optional: true when not every render holds it",
	}
	f.Source = r.position(f.Field)
	w := e.workload
	object := podspec.Object{APIVersion: w.APIVersion, Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}
	if err := podspec.Packaged(r.intent.Spec.Distribution, r.intent.Spec.Disable, object); err != nil {
		f.Action = "it " + err.Error()
	}
	if e.optional {
		f.Severity, f.Action = finding.Info, ""
	}
	r.add(f)
}

func (r *run) position(field string) finding.Source {
	position := r.intent.Position(field)
	if position.Line == 0 {
		return finding.Source{}
	}
	return finding.Source{File: position.File, Line: position.Line}
}

// elsewhere says that an entry about a file is not for the render.
func (r *run) elsewhere(e carrierOf) {
	f := finding.Finding{
		Code: "helm-values-elsewhere", Severity: finding.Info, Field: "spec." + e.place + ".helmValues",
		Message: fmt.Sprintf("%s is about the values file %s, which no render holds: berth generate writes an overlay for it", e.place, e.HelmValues.File),
	}
	f.Source = r.position(f.Field)
	r.add(f)
}

// undecided reports each DaemonSet that neither list names. A DaemonSet goes to every node that lets it, so that
// somebody should have decided. A device plugin's was decided in its own file, which names the taints that it tolerates.
func (r *run) undecided() {
	for _, i := range r.byKind["DaemonSet"] {
		t := r.targets[i]
		if r.decided[i] || podspec.Group(t.Object.APIVersion) != "apps" || t.Object.Labels[v1alpha1.LabelDevicePlugin] != "" {
			continue
		}
		f := t.Find(finding.Warning, "daemonset-undecided", nil, nil, "stands neither in allow nor in deny")
		f.Action = "decide whether it runs on the tainted nodes, and write down why"
		r.add(f)
	}
}
