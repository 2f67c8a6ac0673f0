package rules

import (
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/flux"
)

// claimsOf are the resources of the DevicePlugin whose DaemonSet an object is.
func claimsOf(p *check.Pass, o *flux.Object) []string {
	name := text(o.Node(), "metadata", "labels", v1alpha1.LabelDevicePlugin)
	if name == "" || !is(o, "apps", "DaemonSet") {
		return nil
	}
	for _, plugin := range p.Declared.Plugins {
		if plugin.Metadata.Name == name {
			return plugin.Claims()
		}
	}
	return nil
}

// claimant is the name of the DevicePlugin that is to advertise a resource; empty when there is none.
func claimant(p *check.Pass, resource string) string {
	for _, plugin := range p.Declared.Plugins {
		if slices.Contains(plugin.Claims(), resource) {
			return plugin.Metadata.Name
		}
	}
	return ""
}
