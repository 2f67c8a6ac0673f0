package v1alpha1

import "cmp"

// The defaults of a DevicePlugin.
const (
	DefaultPriorityClassName = "system-node-critical"
	DefaultFluxNamespace     = "flux-system"
	DefaultFluxFolder        = "clusters/base"
	// A rollout takes one node after the other, some ten seconds each, and pulls the image the first time. The usual 10m and
	// 5m are made for a tier of many components: here they would hide for minutes that three pods do not come up.
	DefaultFluxInterval      = "5m"
	DefaultFluxRetryInterval = "1m"
	DefaultFluxTimeout       = "3m"
	// IntelVendor is the PCI vendor of Intel's GPUs.
	IntelVendor = "0x8086"
)

// Default fills in what the file leaves out.
func (p *DevicePlugin) Default() {
	spec := &p.Spec
	spec.Stage = cmp.Or(spec.Stage, Advertise)
	if spec.SharedDevices == 0 && !p.origin.Has("spec.sharedDevices") {
		spec.SharedDevices = 1
	}
	if spec.Preset == IntelGPU {
		if spec.Select == nil {
			spec.Select = &GPUSelector{}
		}
		if len(spec.Select.Vendors) == 0 {
			spec.Select.Vendors = []string{IntelVendor}
		}
	}
	spec.fillIn(p.PluginName(), spec.Preset)
	if spec.Flux != nil {
		spec.Flux.defaults(p.PluginName())
	}
}

// PluginName is what the plugin's objects are called.
func (p *DevicePlugin) PluginName() string { return p.Metadata.Name + "-plugin" }

func (d *Deployment) fillIn(name string, preset Preset) {
	d.TargetNamespace = cmp.Or(d.TargetNamespace, name)
	d.PriorityClassName = cmp.Or(d.PriorityClassName, DefaultPriorityClassName)
	upstream := preset == IntelGPUUpstream
	if len(d.Architectures) == 0 {
		d.Architectures = []string{"amd64", "arm", "arm64"}
		if upstream {
			d.Architectures = []string{"amd64"}
		}
	}
	if d.OnlyNodes == nil {
		d.OnlyNodes = &upstream
	}
	if d.Resources == nil {
		d.Resources = defaultResources(upstream)
	}
}

// defaultResources leave room above what was measured: about 10 MB resident for Berth's plugin, 13 to 17 MB for Intel's.
// A container that is killed for memory takes the node's devices with it (squat/generic-device-plugin#17). There is no
// limit of the CPU for Berth's plugin, since one only delays its registration after a restart.
func defaultResources(upstream bool) *ContainerResources {
	if upstream {
		return &ContainerResources{
			Requests: map[string]string{"cpu": "40m", "memory": "45Mi"},
			Limits:   map[string]string{"cpu": "100m", "memory": "90Mi"},
		}
	}
	return &ContainerResources{
		Requests: map[string]string{"cpu": "10m", "memory": "24Mi"},
		Limits:   map[string]string{"memory": "64Mi"},
	}
}

func (f *FluxKustomization) defaults(name string) {
	f.Name = cmp.Or(f.Name, name)
	f.Namespace = cmp.Or(f.Namespace, DefaultFluxNamespace)
	f.Path = cmp.Or(f.Path, "./"+f.Name)
	f.File = cmp.Or(f.File, DefaultFluxFolder+"/"+f.Name+".yaml")
	f.Interval = cmp.Or(f.Interval, DefaultFluxInterval)
	f.RetryInterval = cmp.Or(f.RetryInterval, DefaultFluxRetryInterval)
	f.Timeout = cmp.Or(f.Timeout, DefaultFluxTimeout)
	if f.Wait == nil {
		yes := true
		f.Wait = &yes
	}
	if f.SourceRef == nil {
		f.SourceRef = &FluxSourceRef{}
	}
	f.SourceRef.Kind = cmp.Or(f.SourceRef.Kind, "GitRepository")
	f.SourceRef.Name = cmp.Or(f.SourceRef.Name, DefaultFluxNamespace)
}
