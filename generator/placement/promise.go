package placement

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// promise notes what device plugins are to offer. A resource that a plugin claims is promised on the plugin's nodes, and
// on no other when the plugin runs on those only.
func promise(nodes []*Node, plugins []*v1alpha1.DevicePlugin) {
	for _, n := range nodes {
		for _, plugin := range plugins {
			for _, resource := range plugin.Claims() {
				if n.Promised == nil {
					n.Promised = map[corev1.ResourceName]bool{}
				}
				name := corev1.ResourceName(resource)
				only := plugin.Spec.OnlyNodes != nil && *plugin.Spec.OnlyNodes // else it may find a device anywhere
				if named := slices.Contains(plugin.Spec.Nodes, n.Name); named || only {
					n.Promised[name] = n.Promised[name] || named
				}
			}
		}
	}
}
