package v1alpha1

import (
	"slices"
	"strings"
)

// intelDomain is the domain of the names that Intel's plugin gives.
const intelDomain = "gpu.intel.com/"

// Claims lists the resources that the plugin may offer, sorted. Two plugins that offer one resource on one node take it
// from each other.
func (p *DevicePlugin) Claims() []string {
	var all []string
	switch spec := p.Spec; {
	case spec.Preset == GenericDevices:
		for _, d := range spec.Devices {
			all = append(all, d.Resource)
		}
	case spec.Resource != "":
		all = append(all, spec.Resource)
	default:
		all = p.byDriver()
	}
	if p.Spec.Monitoring {
		all = append(all, intelDomain+"monitoring")
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// byDriver are the names by driver. A GPU of Intel's has one of two.
func (p *DevicePlugin) byDriver() []string {
	drivers := []string{"i915", "xe"}
	if p.Spec.Select != nil && len(p.Spec.Select.Drivers) > 0 {
		drivers = p.Spec.Select.Drivers
	}
	all := make([]string, len(drivers))
	for i, driver := range drivers {
		all[i] = intelDomain + driver
	}
	return all
}

// ImageDigest is the digest of the image, or nothing when it has none.
func (p *DevicePlugin) ImageDigest() string { return digestOf(p.Spec.Image) }

// ImageDigest is the digest of the image that was seen.
func (e *DeviceEvidence) ImageDigest() string { return digestOf(e.Spec.Image) }

func digestOf(image string) string {
	_, digest, _ := strings.Cut(image, "@")
	return digest
}
