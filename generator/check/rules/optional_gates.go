package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var optionalGates = &check.Rule{
	Code: "optional-gates", Group: check.Order, Severity: finding.Warning,
	Title: "Applications wait for a component that they could do without",
	Help: `Everything behind a dependsOn stands still as long as the Kustomization is not ready. A device plugin that never comes up on one
node, inside a tier with wait: true, stops every application behind the tier, also those that need no device: a component
that was added to mend one thing has gained the power to cause an outage.

Give it a Kustomization of its own that nothing depends on. wait: true is then a signal, which flux get kustomizations shows,
and no gate. Device plugins are recognised; other Kustomizations go under spec.optional of berth.yaml.
berth graph draws what waits for what.`,
	Environment: func(p *check.Pass) {
		for _, k := range p.Kustomizations {
			what := optional(p, k)
			if what == "" || k.IsEntry() {
				continue
			}
			behind := p.Graph().Stalls(k.ID).Held
			behind = slices.DeleteFunc(slices.Clone(behind), func(s flux.Stalled) bool { return s.Because == flux.BecauseInside })
			if len(behind) == 0 {
				continue
			}
			names := make([]string, len(behind))
			for i, b := range behind {
				names[i] = b.ID.Name
			}
			p.Report(check.OnKustomization(k, nil, fmt.Sprintf("it holds %s, and %s wait for it", what, some(names, 4)),
				"give it a Kustomization of its own that nothing depends on"))
		}
	},
}

// optional says what in a Kustomization the applications could do without; nothing when there is none.
func optional(p *check.Pass, k *flux.Kustomization) string {
	if slices.Contains(p.Repository.Check.Spec.Optional, k.Name) || slices.Contains(p.Repository.Check.Spec.Optional, k.String()) {
		return "what spec.optional of berth.yaml names"
	}
	for _, plugin := range p.Declared.Plugins {
		if plugin.Spec.Flux != nil && plugin.Spec.Flux.Name == k.Name {
			return "the device plugin " + plugin.Metadata.Name
		}
	}
	for _, o := range k.Objects {
		if isDevicePlugin(o) {
			return "the device plugin of " + o.String()
		}
	}
	return ""
}

// isDevicePlugin says whether an object deploys a device plugin: it mounts the kubelet's folder for them, or its name or
// image says so.
func isDevicePlugin(o *flux.Object) bool {
	switch {
	case is(o, "apps", "DaemonSet"):
		return slices.ContainsFunc(imagesOf(o), isPluginImage) || mountsPluginFolder(o)
	case is(o, "helm.toolkit.fluxcd.io", "HelmRelease"):
		return strings.Contains(text(o.Node(), "spec", "chart", "spec", "chart"), "device-plugin") || strings.Contains(o.Name, "device-plugin")
	}
	return false
}

func isPluginImage(image string) bool {
	name := image[strings.LastIndex(image, "/")+1:]
	return strings.Contains(name, "device-plugin") || strings.Contains(name, "intel-gpu-plugin")
}
