package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/daemonset"
	"github.com/berth-dev/berth/generator/finding"
)

var evidenceMissing = &check.Rule{
	Code: "evidence-missing", Group: check.Devices, Severity: finding.Error,
	Title: "A DevicePlugin is at stage consume without evidence",
	Help: `stage: consume switches workloads to a request for the plugin's resource. It takes a DeviceEvidence that every node in
spec.nodes was seen to offer the resource, with the image that is deployed: what another image offers proves nothing.

Run berth confirm against the cluster, or write down by hand what kubectl get node shows, and name the file in spec.evidence.`,
	Environment: func(p *check.Pass) {
		for _, plugin := range p.Declared.Plugins {
			if plugin.Spec.Stage != v1alpha1.Consume {
				continue
			}
			for _, f := range daemonset.Prove(plugin, evidenceFor(plugin, p.Declared.Evidence)) {
				p.Report(atPlugin(plugin, f.Field, sentence(f.Message), sentence(f.Action)))
			}
		}
	},
}

// evidenceFor leaves out what stands in a file that the plugin does not name: berth generate would not read it either.
func evidenceFor(plugin *v1alpha1.DevicePlugin, all []*v1alpha1.DeviceEvidence) []*v1alpha1.DeviceEvidence {
	own := plugin.Position("spec").File
	if plugin.Spec.Evidence == "" {
		return all
	}
	named := path.Join(path.Dir(own), plugin.Spec.Evidence)
	return slices.DeleteFunc(slices.Clone(all), func(e *v1alpha1.DeviceEvidence) bool {
		file := e.Position("spec").File
		return file != named && file != own
	})
}

var imageUnpinned = &check.Rule{
	Code: "image-unpinned", Group: check.Devices, Severity: finding.Warning,
	Title: "The image of a device plugin has no digest",
	Help: `A device plugin hands the host's devices to pods. A tag can be moved to another image, without a commit; a digest cannot, and
evidence that nodes offer a resource holds for one digest only.

Write the image as name:tag@sha256:...`,
	Environment: func(p *check.Pass) {
		for o := range p.Objects() {
			if !is(o, "apps", "DaemonSet") || !isDevicePlugin(o) {
				continue
			}
			for _, image := range imagesOf(o) {
				if !strings.Contains(image, "@sha256:") {
					p.Report(check.On(o, nil, fmt.Sprintf("the image %s of a device plugin has no digest", image), "write it as name:tag@sha256:..."))
				}
			}
		}
	},
}

// atPlugin makes a finding at a field of a DevicePlugin.
func atPlugin(plugin *v1alpha1.DevicePlugin, field, message, action string) check.Finding {
	position := plugin.Position(field)
	f := check.At(finding.Source{File: position.File, Line: position.Line}, message, action)
	f.Field = field
	return f
}
