package config

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/deviceplugin/drm"
	"github.com/berth-dev/berth/deviceplugin/generic"
)

// intel describes the resources of Intel's GPU plugin, in the flags of Intel's GPU plugin.
type intel struct {
	allow, deny    string
	monitoring     bool
	monitoringMode string
	wsl            bool
	used           []string // the flags that were given
}

const intelVendor = "0x8086"

func (i *intel) flags(f *flag.FlagSet) {
	i.note(f, "allow-ids", "comma-separated PCI device `ids` to offer, 0x56a0,0x56a1", func(v string) error { i.allow = v; return nil })
	i.note(f, "deny-ids", "comma-separated PCI device `ids` not to offer", func(v string) error { i.deny = v; return nil })
	i.note(f, "monitoring-mode", "single: gpu.intel.com/monitoring (default); split: one resource for each driver", func(v string) error {
		i.monitoringMode = v
		return nil
	})
	f.BoolFunc("enable-monitoring", "also offer a resource with all GPUs, for programs that watch them", i.boolean("enable-monitoring", &i.monitoring))
	f.BoolFunc("wsl", "offer /dev/dxg of WSL2 as gpu.intel.com/dxg instead", i.boolean("wsl", &i.wsl))
	f.BoolFunc("health-management", "not supported", func(v string) error {
		if v == "false" {
			return nil
		}
		return errHealth
	})
	for _, name := range []string{"temp-limit", "gpu-temp-limit", "memory-temp-limit", "xpumd-endpoint"} {
		f.Func(name, "not supported", func(string) error { return errHealth })
	}
}

var errHealth = errors.New("this plugin opens no device and asks no sidecar: leave the flag out")

func (i *intel) note(f *flag.FlagSet, name, usage string, set func(string) error) {
	f.Func(name, usage, func(v string) error {
		i.used = append(i.used, "-"+name)
		return set(v)
	})
}

func (i *intel) boolean(name string, to *bool) func(string) error {
	return func(v string) error {
		if v != "true" && v != "false" {
			return fmt.Errorf("%q is neither true nor false", v)
		}
		i.used = append(i.used, "-"+name)
		*to = v == "true"
		return nil
	}
}

// resources are those that the flags describe.
func (i *intel) resources() ([]Resource, error) {
	if i.wsl {
		if i.monitoring || i.allow != "" || i.deny != "" {
			return nil, fmt.Errorf("-wsl: cannot go with -enable-monitoring, -allow-ids or -deny-ids: WSL2 shows one device and not its GPUs")
		}
		return []Resource{wsl()}, nil
	}
	if i.allow != "" && i.deny != "" {
		return nil, fmt.Errorf("-allow-ids and -deny-ids: give one of them")
	}
	cards := drm.Selector{Vendors: []string{intelVendor}, Devices: list(i.allow), Exclude: list(i.deny), Drivers: []string{"i915", "xe"}}
	all := []Resource{{Name: "gpu.intel.com/{driver}", DRM: &DRM{Select: []drm.Selector{cards}}}}
	if !i.monitoring {
		return all, nil
	}
	switch i.monitoringMode {
	case "", "single":
		return append(all, monitoring("gpu.intel.com/monitoring", cards)), nil
	case "split":
		return append(all, monitoring("gpu.intel.com/{driver}_monitoring", cards)), nil
	}
	return nil, fmt.Errorf("-monitoring-mode %q: use single or split", i.monitoringMode)
}

func monitoring(name string, cards drm.Selector) Resource {
	return Resource{Name: name, SharedDevices: 1, DRM: &DRM{Select: []drm.Selector{cards}, Monitoring: true}}
}

// wsl is what WSL2 has in place of GPUs, with the libraries that speak to it.
func wsl() Resource {
	return Resource{Name: "gpu.intel.com/dxg", Devices: []generic.Group{{Members: []generic.Member{
		{Path: "/dev/dxg"},
		{Path: "/usr/lib/wsl", Type: generic.KindMount, ReadOnly: true},
	}}}}
}

func list(text string) []string {
	var all []string
	for _, v := range strings.Split(text, ",") {
		if v = strings.TrimSpace(v); v != "" {
			all = append(all, v)
		}
	}
	return all
}
