package v1alpha1

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
)

// MaxSharedDevices is the most entries that one resource of a node may have. The kubelet takes messages of 4 MiB
// (kubernetes/kubernetes#109304) and ends the stream of a plugin that sends more, which leaves the node at zero. An entry
// has up to 84 bytes, so that 49,932 of them fit; a node with several devices needs a fifth of it for each of five.
const MaxSharedDevices = 10000

// Validate checks a defaulted plugin by itself: against the rules of the kubelet, the Kubernetes API and Flux. What
// depends on other objects is for package daemonset. The error is a strict.Problems; it names lines when the plugin was
// read from a file.
func (p *DevicePlugin) Validate() error {
	v := &pluginValidator{collector: &collector{origin: p.origin}, plugin: p}
	v.name("plugin", p.Metadata.Name)
	if len(p.Metadata.Name) > maxName-len("-plugin") && len(p.Metadata.Name) <= maxName {
		v.fail("metadata.name", "%q has %d characters: the objects are called %s, which has to fit into a label of %d",
			p.Metadata.Name, len(p.Metadata.Name), p.PluginName(), maxName)
	}
	v.marks(p.Metadata.Labels, p.Metadata.Annotations)
	named := len(v.problems)
	v.preset()
	v.claims = v.plugin.Claims()
	if len(v.problems) > named {
		v.claims = nil
	}
	v.deployment()
	v.flux()
	v.consumers()
	v.stage()
	return v.problems.Err()
}

// pluginValidator collects the problems of one plugin.
type pluginValidator struct {
	*collector
	plugin *DevicePlugin
	// claims is what the plugin offers; nil when that is faulty itself, so that nothing can be held against it.
	claims []string
}

func (v *pluginValidator) preset() {
	spec := v.plugin.Spec
	presets := []string{string(IntelGPU), string(IntelGPUUpstream), string(GenericDevices)}
	if near := strict.Nearest(string(spec.Preset), presets); near != "" && near != string(spec.Preset) {
		v.fail("spec.preset", "there is no %q: did you mean %s?", spec.Preset, near)
		return
	}
	v.oneOf("spec.preset", string(spec.Preset), presets...)
	v.onlyFor("spec.resource", spec.Resource != "", IntelGPU, "")
	v.onlyFor("spec.select", v.origin.Has("spec.select"), IntelGPU, "")
	v.onlyFor("spec.devices", len(spec.Devices) > 0, GenericDevices, "")
	v.onlyFor("spec.healthManagement", spec.HealthManagement != nil, IntelGPUUpstream,
		": Berth's plugin sees a node that vanishes by itself and opens no device")
	if spec.Monitoring && spec.Preset == GenericDevices {
		v.fail("spec.monitoring", "is for GPUs: list a device with all the nodes that are to be watched instead")
	}
	if spec.Resource != "" {
		v.resourceName("spec.resource", spec.Resource)
	}
	if spec.HealthManagement != nil {
		v.image("spec.healthManagement.image", spec.HealthManagement.Image, spec.AllowTagOnly)
	}
	v.selector()
	v.devices()
	v.shares()
}

// onlyFor refuses a field that another preset is for.
func (v *pluginValidator) onlyFor(path string, given bool, preset Preset, why string) {
	if given && v.plugin.Spec.Preset != preset {
		v.fail(path, "is for the preset %s%s: remove it", preset, why)
	}
}

func (v *pluginValidator) shares() {
	switch n := v.plugin.Spec.SharedDevices; {
	case n < 1:
		v.fail("spec.sharedDevices", "%d: write 1 to give a device to one pod at a time, or how many may have it", n)
	case n > MaxSharedDevices:
		v.fail("spec.sharedDevices", "%d entries for each device: the kubelet takes messages of 4 MiB, about 49,900 entries for all devices of a node, and a node whose plugin sends more is at zero; write at most %d",
			n, MaxSharedDevices)
	}
}

func (v *pluginValidator) stage() {
	spec := v.plugin.Spec
	v.oneOf("spec.stage", string(spec.Stage), string(Advertise), string(Consume))
	if spec.Stage == Consume && len(spec.Consumers) == 0 {
		v.fail("spec.stage", "is consume, and there are no consumers: list who consumes, or go back to advertise")
	}
	if spec.Evidence != "" {
		v.relativeFile("spec.evidence", spec.Evidence)
	}
}

// relativeFile checks the name of a YAML file inside the repository.
func (c *collector) relativeFile(path, file string) {
	switch {
	case !c.resolved(path, file):
	case strings.HasPrefix(file, "/") || strings.Contains(file, `\`):
		c.fail(path, "%q: write a path with slashes inside the repository", file)
	case !strings.HasSuffix(file, ".yaml") && !strings.HasSuffix(file, ".yml"):
		c.fail(path, "%q is no YAML file: its name ends in .yaml", file)
	}
}

// unique reports entries that stand twice.
func (c *collector) unique(path string, all []string) {
	for i, value := range all {
		if first := slices.Index(all, value); first < i {
			c.fail(strict.Item(path, i), "%s was listed before, %s: list it once", value, c.origin.Where(strict.Item(path, first)))
		}
	}
}
