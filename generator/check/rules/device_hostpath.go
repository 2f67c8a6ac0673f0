package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

var deviceHostPath = &check.Rule{
	Code: "device-hostpath", Group: check.Devices, Severity: finding.Warning,
	Title: "A pod mounts a device that it cannot open",
	Help: `A hostPath makes the device's file visible and adds no rule to the container's device cgroup, so that open() fails with EPERM
("Operation not permitted"), for root too. Only a device plugin's answer to the kubelet, DRA, or a privileged container gives
the right to open it. A container that only looks at the file, as device plugins do, is not harmed.

Request the resource of a device plugin (resources.limits) and drop the hostPath. Do so only when every node that the pod may
run on advertises the resource: see DevicePlugin, stage advertise and consume.`,
	Environment: func(p *check.Pass) {
		for o := range p.Objects() {
			if path, spec := podSpec(o); spec != nil {
				reportVolumes(p, o, path, spec)
			}
		}
		for _, h := range p.HelmReleases {
			reportValues(p, h)
		}
	},
}

const hostPathAction = "request the resource of a device plugin instead, once the nodes advertise it"

func hostPathMessage(device string) string {
	return fmt.Sprintf("the hostPath makes %s visible and not openable: nothing lets the unprivileged container through the device cgroup", device)
}

// reportVolumes looks at the volumes of a pod that an unprivileged container without any device resource mounts.
func reportVolumes(p *check.Pass, o *flux.Object, path tree.Path, spec *yaml.Node) {
	if isDevicePlugin(o) || mountsPluginFolder(o) {
		return
	}
	for i, volume := range items(tree.Lookup(spec, "volumes")) {
		device := text(volume, "hostPath", "path")
		if !isDevice(device) {
			continue
		}
		shut := false
		eachContainer(spec, func(_ string, _ int, container *yaml.Node) {
			mounts := slices.ContainsFunc(slices.Concat(items(tree.Lookup(container, "volumeMounts")), items(tree.Lookup(container, "volumeDevices"))),
				func(mount *yaml.Node) bool { return text(mount, "name") == text(volume, "name") })
			shut = shut || mounts && text(container, "securityContext", "privileged") != "true" && len(deviceResources(container)) == 0
		})
		if shut {
			p.Report(check.On(o, path.Join("volumes", strconv.Itoa(i), "hostPath", "path"), hostPathMessage(device), hostPathAction))
		}
	}
}

// isDevice says whether a path is that of a device, or of a folder of devices. Folders that are mounted to look at what is
// there (/dev itself, /dev/disk) and those that are no devices are left out.
func isDevice(path string) bool {
	name, ok := strings.CutPrefix(strings.TrimSuffix(path, "/"), "/dev/")
	if !ok || name == "" {
		return false
	}
	first, _, _ := strings.Cut(name, "/")
	return !slices.Contains([]string{"shm", "log", "null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "mqueue", "hugepages", "disk", "mapper", "block", "termination-log"}, first)
}

// deviceResources are the extended resources that a container requests.
func deviceResources(container *yaml.Node) []string {
	var all []string
	for _, list := range []string{"limits", "requests"} {
		for _, name := range keys(tree.Lookup(container, "resources", list)) {
			if isExtended(name) && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// isExtended says whether a resource is offered by a device plugin or the like: its name has a domain that is not
// Kubernetes's own.
func isExtended(name string) bool {
	domain, _, ok := strings.Cut(name, "/")
	return ok && domain != "kubernetes.io" && !strings.HasSuffix(domain, ".kubernetes.io") && !strings.HasPrefix(domain, "requests.")
}

// reportValues looks for the path of a device in the values of a chart that make nothing privileged and request no device.
func reportValues(p *check.Pass, h *flux.HelmRelease) {
	values := tree.Lookup(h.Object.Node(), "spec", "values")
	able := false
	var places []place
	walkFrom(tree.Path{"spec", "values"}, values, func(path tree.Path, node *yaml.Node) {
		able = able || mayOpen(path, node)
		if node.Kind == yaml.ScalarNode && isDevice(node.Value) && isHostPath(path) {
			places = append(places, place{clone(path), node.Value})
		}
	})
	if able {
		return
	}
	for _, at := range places {
		p.Report(check.On(h.Object, at.path, hostPathMessage(at.text), hostPathAction))
	}
}

// mayOpen says whether a value lets a container open devices: it is privileged, or requests one.
func mayOpen(path tree.Path, node *yaml.Node) bool {
	switch step(path, 1) {
	case "privileged":
		return node.Value == "true"
	case "limits", "requests":
		return slices.ContainsFunc(keys(node), isExtended)
	}
	return false
}

// isHostPath says whether a value is the path of a hostPath, as charts spell it.
func isHostPath(path tree.Path) bool {
	return step(path, 1) == "hostPath" || step(path, 1) == "path" && step(path, 2) == "hostPath"
}
