package rules

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/toleration"
)

var tolerationUnlisted = &check.Rule{
	Code: "toleration-unlisted", Group: check.Policy, Severity: finding.Error,
	Title: "A workload tolerates an intent's taint and is not on the allowlist",
	Help: `The allowlist is the one place that says which workloads may use the tainted nodes, with a reason for each. A toleration that
was written by hand goes past it. For a device plugin's own DaemonSet the DevicePlugin's spec.tolerate says it.

Add an allow entry with its reason, or remove the toleration.`,
	Environment: func(p *check.Pass) {
		eachTolerations(p, func(l tolerationList) {
			for _, intent := range p.Declared.Intents {
				for _, taint := range allTaints(intent) {
					names := slices.ContainsFunc(l.entries, func(e toleration.Entry) bool { return e.Names(taint) })
					if names && !allowed(intent, l.object, taint) && !toleratedByPlugin(p.Declared.Plugins, intent, l.object, taint) {
						p.Report(check.On(l.object, l.path, fmt.Sprintf("it tolerates %s, and no allow entry says that it may", taint),
							fmt.Sprintf("add an allow entry to %s, or remove the toleration", intentFile(intent))))
					}
				}
			}
		})
	},
}

// toleratedByPlugin says whether an object is a device plugin's own, and the plugin's file names the taint.
func toleratedByPlugin(plugins []*v1alpha1.DevicePlugin, intent *v1alpha1.TaintIntent, o *flux.Object, taint v1alpha1.Taint) bool {
	return slices.ContainsFunc(plugins, func(p *v1alpha1.DevicePlugin) bool {
		return labelsOf(o)[v1alpha1.LabelDevicePlugin] == p.Metadata.Name && slices.Contains(intent.TaintsByName(p.Spec.Tolerate), taint)
	})
}

// allTaints are the taints that an intent gives to nodes.
func allTaints(intent *v1alpha1.TaintIntent) []v1alpha1.Taint {
	var all []v1alpha1.Taint
	for _, node := range intent.TaintedNodes() {
		for _, taint := range intent.NodeTaints(node) {
			if !slices.Contains(all, taint) {
				all = append(all, taint)
			}
		}
	}
	return all
}
