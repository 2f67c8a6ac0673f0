package daemonset

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

// otherContainer warns that a container beside the one that gets the device has lost its mount.
func (s *switcher) otherContainer(root *yaml.Node, m mountPlace, container tree.Path) {
	if slices.Equal(m.container, container) {
		return
	}
	name := valueOf(root, m.container.Join("name")...)
	if slices.Contains(s.others, name) {
		return
	}
	s.report(finding.Warning, "other-container", m.container,
		fmt.Sprintf("the container %s mounted %s too, and gets no device now", name, s.consumer.ReplacesHostPath),
		"add an entry for it if it needs one: each container asks for its own")
}

// remarks says what the switch leaves alone and a person should know of.
func (s *switcher) remarks(spec, container tree.Path) {
	root, err := s.Item.Node()
	if err != nil {
		return
	}
	if valueOf(root.YNode(), container.Join("securityContext", "privileged")...) == "true" {
		s.report(finding.Warning, "privileged-consumer", container.Join("securityContext", "privileged"),
			"the container is privileged, so that it opens every device of the node, whatever it asks for",
			"remove privileged: the plugin's answer gives it its device")
	}
	s.above(root.YNode(), spec)
	s.rollout()
	s.groups(spec)
	if s.Object.Kind == "Job" || s.Object.Kind == "Pod" {
		s.report(finding.Warning, "cannot-be-changed", spec, fmt.Sprintf("the containers of a %s that exists cannot be changed", s.Object.Kind),
			"delete it first, or let Flux re-create it with the annotation kustomize.toolkit.fluxcd.io/force: enabled")
	}
}

// above warns of a volume that holds the replaced path and more, which is left as it is.
func (s *switcher) above(root *yaml.Node, spec tree.Path) {
	hosts := hostPaths(tree.Lookup(root, spec.Join("volumes")...))
	for _, name := range sorted(hosts) {
		host := hosts[name]
		if s.consumer.ReplacesHostPath == "" || host == "/" || !strings.HasPrefix(s.consumer.ReplacesHostPath, strings.TrimSuffix(host, "/")+"/") {
			continue
		}
		s.report(finding.Warning, "host-path-above", spec.Join("volumes"),
			fmt.Sprintf("the volume %s still mounts %s of the host, in which %s is visible too", name, host, s.consumer.ReplacesHostPath),
			"remove it if it was for the device only")
	}
}

// groups says why supplementalGroups are left alone. The number of the node's group differs from node to node and from
// distribution to distribution, images often join the group by themselves when they start, and the device's owner may
// already follow the pod (containerd: device_ownership_from_security_context).
func (s *switcher) groups(spec tree.Path) {
	root, err := s.Item.Node()
	if err != nil {
		return
	}
	field := spec.Join("securityContext", "supplementalGroups")
	message := "supplementalGroups were left alone: whether a process that is not root needs the group of the device node depends on the image and the node"
	if tree.Lookup(root.YNode(), field...) != nil {
		message = "the supplementalGroups that there are were left alone: they may be what lets a process that is not root open the device"
	}
	s.report(finding.Info, "groups-unchanged", field, message, "if open fails with EACCES, add the gid that the plugin logs for the render node")
}
