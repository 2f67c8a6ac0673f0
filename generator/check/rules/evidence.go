package rules

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
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
			if plugin.Spec.Stage == v1alpha1.Consume {
				if message := unproven(p, plugin); message != "" {
					p.Report(atPlugin(plugin, "spec.stage", message, "run berth confirm, or set stage: advertise and switch the consumers back"))
				}
			}
		}
	},
}

// unproven says what the evidence for a plugin lacks.
func unproven(p *check.Pass, plugin *v1alpha1.DevicePlugin) string {
	var own []*v1alpha1.DeviceEvidence
	for _, e := range p.Declared.Evidence {
		if e.Spec.Plugin == plugin.Metadata.Name {
			own = append(own, e)
		}
	}
	if len(own) == 0 {
		return "nothing shows that its nodes advertise the resource"
	}
	offered := map[string]int64{}
	current := false
	for _, e := range own {
		if e.ImageDigest() != plugin.ImageDigest() {
			continue
		}
		current = true
		for _, node := range e.Spec.Nodes {
			for _, resource := range plugin.Claims() {
				offered[node.Name] += node.Allocatable[resource]
			}
		}
	}
	if !current {
		return "the evidence is of another image than the one that is deployed"
	}
	var missing []string
	for _, node := range plugin.Spec.Nodes {
		if offered[node] == 0 {
			missing = append(missing, node)
		}
	}
	if len(missing) > 0 {
		return fmt.Sprintf("the evidence does not show that %s offers the resource", some(missing, 3))
	}
	return ""
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
