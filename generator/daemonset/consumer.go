package daemonset

import (
	"fmt"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/finding"
)

// consumers switches the consumers, or leaves them as they are and says so.
func (r *run) consumers() error {
	spec := r.plugin.Spec
	if spec.Stage != v1alpha1.Consume {
		if len(spec.Consumers) > 0 {
			r.add(r.find(finding.Info, "consumers-unchanged", "spec.stage",
				"the stage is advertise, so that no consumer was changed", "run berth confirm when the plugin was rolled out"))
		}
		return nil
	}
	if r.in.KeepConsumers {
		return nil
	}
	if missing := Prove(r.plugin, r.in.Evidence); len(missing) > 0 {
		r.out.Findings = append(r.out.Findings, missing...)
		return nil
	}
	return r.switchAll()
}

// Switch edits a plugin's consumers among the items of the input, whatever the stage and the evidence say, and tells what it
// did: Edits and Findings are those of Generate about consumers.
func Switch(plugin *v1alpha1.DevicePlugin, in Input) (*Output, error) {
	r := &run{plugin: plugin, in: in}
	err := r.switchAll()
	return &r.out, err
}

func (r *run) switchAll() error {
	targets, err := edit.Targets(r.in.Items)
	if err != nil {
		return err
	}
	replaced := map[string]bool{}
	for i, c := range r.plugin.Spec.Consumers {
		r.consumer(strict.Item("spec.consumers", i), c, targets, replaced)
	}
	return nil
}

// consumer switches every object that an entry means. replaced holds the paths that earlier entries removed, by object.
func (r *run) consumer(field string, c v1alpha1.Consumer, targets []edit.Target, replaced map[string]bool) {
	matched := false
	for _, t := range targets {
		if !t.Matches(c.Workload) {
			continue
		}
		matched = true
		s := &switcher{Target: t, consumer: c, done: replaced, by: r.plugin.Metadata.Name, others: r.containersOf(t), seen: r.offered()}
		if err := s.apply(); err != nil {
			s.report(finding.Error, "consumer", nil, err.Error(), "")
		}
		r.out.Edits = append(r.out.Edits, s.edits...)
		r.out.Findings = append(r.out.Findings, s.found...)
	}
	switch {
	case matched:
	case c.Optional:
		r.add(r.find(finding.Info, "matches-nothing", field+".workload", fmt.Sprintf("%s matches nothing in this render", c.Workload), ""))
	default:
		r.add(r.find(finding.Error, "matches-nothing", field+".workload", fmt.Sprintf("%s matches nothing in this render", c.Workload),
			"correct it, or say optional: true when not every render holds it"))
	}
}

// containersOf are the containers of an object that get a device by any entry.
func (r *run) containersOf(t edit.Target) []string {
	var names []string
	for _, c := range r.plugin.Spec.Consumers {
		if t.Matches(c.Workload) {
			names = append(names, c.Container)
		}
	}
	return names
}
