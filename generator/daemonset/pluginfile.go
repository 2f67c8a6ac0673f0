package daemonset

import "github.com/berth-dev/berth/generator/api/v1alpha1"

// pluginFile is the configuration file of berth-device-plugin, as far as a DevicePlugin says something.
type pluginFile struct {
	SharedDevices int32            `yaml:"sharedDevices"`
	Resources     []pluginResource `yaml:"resources"`
}

// pluginResource is one resource. In the name of GPUs {driver} stands for the driver of each.
type pluginResource struct {
	Name          string        `yaml:"name"`
	SharedDevices int32         `yaml:"sharedDevices,omitempty"`
	DRM           *pluginDRM    `yaml:"drm,omitempty"`
	Devices       []pluginGroup `yaml:"devices,omitempty"`
}

type pluginDRM struct {
	Select     []pluginSelector `yaml:"select"`
	Monitoring bool             `yaml:"monitoring,omitempty"`
}

type pluginSelector struct {
	Vendors   []string `yaml:"vendors,omitempty"`
	Devices   []string `yaml:"devices,omitempty"`
	Exclude   []string `yaml:"exclude,omitempty"`
	Addresses []string `yaml:"addresses,omitempty"`
	Drivers   []string `yaml:"drivers,omitempty"`
}

type pluginGroup struct {
	Members []pluginMember `yaml:"members"`
}

type pluginMember struct {
	Path        string     `yaml:"path,omitempty"`
	USB         *pluginUSB `yaml:"usb,omitempty"`
	Type        string     `yaml:"type,omitempty"`
	MountPath   string     `yaml:"mountPath,omitempty"`
	Permissions string     `yaml:"permissions,omitempty"`
	ReadOnly    bool       `yaml:"readOnly,omitempty"`
	Optional    bool       `yaml:"optional,omitempty"`
}

type pluginUSB struct {
	Vendor  string `yaml:"vendor"`
	Product string `yaml:"product,omitempty"`
	Serial  string `yaml:"serial,omitempty"`
	Node    string `yaml:"node,omitempty"`
}

func fileOf(spec v1alpha1.DevicePluginSpec) pluginFile {
	file := pluginFile{SharedDevices: spec.SharedDevices}
	if spec.Preset == v1alpha1.GenericDevices {
		for _, d := range spec.Devices {
			file.Resources = append(file.Resources, pluginResource{Name: d.Resource, Devices: groups(d.Groups)})
		}
		return file
	}
	name := spec.Resource
	if name == "" {
		name = "gpu.intel.com/{driver}"
	}
	cards := []pluginSelector{selectorOf(spec)}
	file.Resources = []pluginResource{{Name: name, DRM: &pluginDRM{Select: cards}}}
	if spec.Monitoring {
		file.Resources = append(file.Resources, pluginResource{
			Name: "gpu.intel.com/monitoring", SharedDevices: 1, DRM: &pluginDRM{Select: cards, Monitoring: true},
		})
	}
	return file
}

// selectorOf names the drivers when they name the resource, so that no other driver makes a resource that nobody knows.
func selectorOf(spec v1alpha1.DevicePluginSpec) pluginSelector {
	s := pluginSelector(*spec.Select)
	if spec.Resource == "" && len(s.Drivers) == 0 {
		s.Drivers = []string{"i915", "xe"}
	}
	return s
}

func groups(all []v1alpha1.DeviceGroup) []pluginGroup {
	out := make([]pluginGroup, len(all))
	for i, g := range all {
		for _, m := range g.Members {
			out[i].Members = append(out[i].Members, pluginMember{
				Path: m.Path, USB: usb(m.USB), Type: string(m.Type), MountPath: m.MountPath,
				Permissions: m.Permissions, ReadOnly: m.ReadOnly, Optional: m.Optional,
			})
		}
	}
	return out
}

func usb(u *v1alpha1.USBDevice) *pluginUSB {
	if u == nil {
		return nil
	}
	return &pluginUSB{Vendor: u.Vendor, Product: u.Product, Serial: u.Serial, Node: u.Node}
}
