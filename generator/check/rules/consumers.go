package rules

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/daemonset"
	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/finding"
)

var consumerMatchesNothing = &check.Rule{
	Code: "consumer-matches-nothing", Group: check.Devices, Severity: finding.Error,
	Title: "A consumer of a DevicePlugin selects no workload",
	Help: `The workload was renamed or removed, or the entry has a typing error: nothing will ever be switched to the device. At stage
advertise nothing is switched yet, and the finding is a warning; so it is when a part of the environment cannot be seen offline,
since the workload may be in there.

Correct or remove the entry. optional: true says that not every environment has the workload.`,
	Environment: func(p *check.Pass) {
		eachSwitched(p, func(plugin *v1alpha1.DevicePlugin, _ *daemonset.Output, f finding.Finding) {
			if f.Code != "matches-nothing" || f.Severity != finding.Error {
				return
			}
			severity := finding.Error
			if plugin.Spec.Stage != v1alpha1.Consume || partlyUnseen(p) {
				severity = finding.Warning
			}
			p.Report(atPlugin(plugin, f.Field, inApplied(p, f.Message), f.Action).As(severity))
		})
	},
}

var consumerNotArrived = &check.Rule{
	Code: "consumer-not-arrived", Group: check.Devices, Severity: finding.Error,
	Title: "A consumer at stage consume does not ask for the device in what Flux applies",
	Help: `stage: consume says that the workload is switched to a request for the plugin's resource, and the built object has none, or it
cannot be switched as the entry says. The Component was written at stage advertise and is still empty, no kustomization lists it,
or the workload has changed since.

Run berth generate, commit what it writes, and list the consumers' component in the kustomization.`,
	Environment: func(p *check.Pass) {
		eachSwitched(p, func(plugin *v1alpha1.DevicePlugin, out *daemonset.Output, f finding.Finding) {
			if plugin.Spec.Stage != v1alpha1.Consume || f.Code == "matches-nothing" {
				return
			}
			switch {
			case f.Code == "consumer-switched" && lacks(out.Edits, f.Object):
				p.Report(onObject(p, f, fmt.Sprintf("it does not ask for the device that the DevicePlugin %s switches it to", plugin.Metadata.Name),
					"run berth generate, commit what it writes, and list the consumers' component in the kustomization"))
			case f.Severity == finding.Error:
				p.Report(onObject(p, f, fmt.Sprintf("it cannot be switched as the DevicePlugin %s says: %s", plugin.Metadata.Name, sentence(f.Message)), f.Action))
			}
		})
	},
}

// lacks says whether a switch changes more of an object than requests: of an extended resource the API server sets them to
// the limits.
func lacks(edits []edit.Edit, object *finding.Object) bool {
	return slices.ContainsFunc(edits, func(e edit.Edit) bool {
		return e.Object == *object && !e.IsGuard() && (len(e.Path) < 2 || e.Path[len(e.Path)-2] != "requests")
	})
}

// eachSwitched goes through what the plugins' consumers lack. What only a node, an intent or the evidence could tell is for
// other rules.
func eachSwitched(p *check.Pass, found func(*v1alpha1.DevicePlugin, *daemonset.Output, finding.Finding)) {
	for _, switched := range p.Switched() {
		if switched.Err != nil {
			continue
		}
		for _, f := range switched.Outcome.Findings {
			found(switched.Plugin, switched.Outcome, f)
		}
	}
}
