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

var resourceUnadvertised = &check.Rule{
	Code: "resource-unadvertised", Group: check.Devices, Severity: finding.Warning,
	Title: "A pod requests a resource that nothing is known to advertise",
	Help: `A pod that requests a resource which no node offers is Unschedulable, and what waits for it (wait: true, dependsOn) stands
still. Berth knows the resources of a DevicePlugin whose DaemonSet the environment builds, of well-known device plugins that it
deploys, and those that spec.provides of berth.yaml lists. The file of a DevicePlugin alone makes no node offer anything: what
berth generate wrote for it must be listed in what the entrypoint builds. That such a DaemonSet is missing is an error.

Deploy the plugin first and see the nodes advertise the resource; or list it under spec.provides.`,
	Environment: func(p *check.Pass) {
		offered := advertised(p)
		eachRequest(p, func(o *flux.Object, path tree.Path, resource string) {
			if offered(resource) {
				return
			}
			if plugin := claimant(p, resource); plugin != "" {
				p.Report(check.On(o, path,
					fmt.Sprintf("%s is requested, and nothing that the environment builds is the DaemonSet of the DevicePlugin %s", resource, plugin),
					"list what berth generate wrote for the plugin in what the entrypoint builds").As(finding.Error))
				return
			}
			p.Report(check.On(o, path, fmt.Sprintf("%s is requested, and nothing is known to advertise it", resource),
				"deploy its device plugin first, or list it under spec.provides of berth.yaml"))
		})
	},
}

var stageNotConsume = &check.Rule{
	Code: "stage-not-consume", Group: check.Devices, Severity: finding.Error,
	Title: "A pod requests a resource whose plugin is only being introduced",
	Help: `The DevicePlugin has stage: advertise: its nodes have not been seen to offer the resource. A consumer that requests it already
may be Unschedulable, and stalls every tier behind it.

Let the plugin come up, collect the evidence (berth confirm), set stage: consume, and switch the consumers then.`,
	Environment: func(p *check.Pass) {
		stages := map[string]string{}
		for _, plugin := range p.Declared.Plugins {
			for _, resource := range plugin.Claims() {
				stages[resource] = string(plugin.Spec.Stage) + " " + plugin.Metadata.Name
			}
		}
		eachRequest(p, func(o *flux.Object, path tree.Path, resource string) {
			if name, early := strings.CutPrefix(stages[resource], "advertise "); early {
				p.Report(check.On(o, path, fmt.Sprintf("%s is requested, and the DevicePlugin %s has stage: advertise", resource, name),
					"wait for evidence that every node offers it, and set stage: consume first"))
			}
		})
	},
}

// eachRequest goes through the extended resources that pods, or the values of a HelmRelease, request; each once an object.
func eachRequest(p *check.Pass, found func(*flux.Object, tree.Path, string)) {
	for o := range p.Objects() {
		path, spec := podSpec(o)
		if spec == nil && !is(o, "helm.toolkit.fluxcd.io", "HelmRelease") {
			continue
		}
		seen := map[string]bool{}
		once := func(at tree.Path, resource string) {
			if !seen[resource] {
				seen[resource] = true
				found(o, at, resource)
			}
		}
		eachContainer(spec, func(list string, i int, container *yaml.Node) {
			for _, resource := range deviceResources(container) {
				once(path.Join(list, strconv.Itoa(i), "resources"), resource)
			}
		})
		if spec != nil {
			continue
		}
		walkFrom(tree.Path{"spec", "values"}, tree.Lookup(o.Node(), "spec", "values"), func(at tree.Path, node *yaml.Node) {
			if last := at[len(at)-1]; node.Kind == yaml.MappingNode && (last == "limits" || last == "requests") {
				for _, resource := range keys(node) {
					if isExtended(resource) {
						once(clone(at).Join(resource), resource)
					}
				}
			}
		})
	}
}

// advertised returns what says whether something offers a resource.
func advertised(p *check.Pass) func(resource string) bool {
	names := slices.Clone(p.Repository.Check.Spec.Provides)
	var domains []string
	for o := range p.Objects() {
		names = append(names, claimsOf(p, o)...)
		for _, known := range devicePlugins {
			if known.deployedBy(o) {
				domains = append(domains, known.domain)
			}
		}
		if mountsPluginFolder(o) {
			names = append(names, resourcesNamed(o)...)
		}
	}
	return func(resource string) bool {
		domain, _, _ := strings.Cut(resource, "/")
		return slices.Contains(names, resource) || slices.Contains(domains, domain)
	}
}

// knownPlugin is a device plugin whose image or chart says which resources it advertises.
type knownPlugin struct {
	sign   string // part of an image's or a chart's name
	domain string
}

var devicePlugins = []knownPlugin{
	{"intel-gpu-plugin", "gpu.intel.com"}, {"intel-device-plugins-gpu", "gpu.intel.com"}, {"berth-device-plugin", "gpu.intel.com"},
	{"nvidia-device-plugin", "nvidia.com"}, {"k8s-device-plugin", "nvidia.com"}, {"gpu-operator", "nvidia.com"},
	{"amdgpu", "amd.com"}, {"amd-gpu", "amd.com"}, {"k8s-device-plugin", "amd.com"}, {"akri", "akri.sh"},
	{"smarter-device-manager", "smarter-devices"}, {"generic-device-plugin", "squat.ai"}, {"virt-handler", "devices.kubevirt.io"},
	{"virt-operator", "devices.kubevirt.io"},
}

func (k knownPlugin) deployedBy(o *flux.Object) bool {
	if is(o, "helm.toolkit.fluxcd.io", "HelmRelease") {
		chart := text(o.Node(), "spec", "chart", "spec", "chart")
		return strings.Contains(chart, k.sign) || strings.Contains(o.Name, k.sign)
	}
	if o.Kind == "GpuDevicePlugin" {
		return k.domain == "gpu.intel.com"
	}
	return slices.ContainsFunc(imagesOf(o), func(image string) bool { return strings.Contains(image, k.sign) })
}

// resourcesNamed are the words of a device plugin's arguments that could be the names of resources.
func resourcesNamed(o *flux.Object) []string {
	var all []string
	_, spec := podSpec(o)
	eachContainer(spec, func(_ string, _ int, container *yaml.Node) {
		for _, arg := range items(tree.Lookup(container, "args")) {
			for _, word := range strings.FieldsFunc(arg.Value, func(r rune) bool { return strings.ContainsRune(" =,:\"'{}[]\n", r) }) {
				if isExtended(word) {
					all = append(all, word)
				}
			}
		}
	})
	return all
}
