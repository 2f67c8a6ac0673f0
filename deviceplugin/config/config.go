package config

import (
	"time"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/drm"
	"github.com/berth-dev/berth/deviceplugin/generic"
	"github.com/berth-dev/berth/deviceplugin/kubelet"
)

// Config is everything the plugin goes by.
type Config struct {
	// SharedDevices, AllocationPolicy and ByPath are for every resource that says nothing else.
	SharedDevices    int           `yaml:"sharedDevices"`
	AllocationPolicy device.Policy `yaml:"allocationPolicy"`
	ByPath           drm.ByPath    `yaml:"byPath"`

	Resources []Resource `yaml:"resources"`

	DevicePluginDir string `yaml:"devicePluginDir"` // the kubelet's; the same path on every node
	Listen          string `yaml:"listen"`          // address for /metrics, /healthz and /readyz; "" for none
	// ScanInterval is the time between looks at the devices, for changes that show in sysfs only. Those in /dev are seen at once, or,
	// where there is no inotify, every two seconds.
	ScanInterval time.Duration `yaml:"scanInterval"`
	LogLevel     string        `yaml:"logLevel"`  // debug, info, warn, error
	LogFormat    string        `yaml:"logFormat"` // json, text
	Prefix       string        `yaml:"prefix,omitempty"`
}

// Resource is a resource to advertise, and the devices that it stands for. One of DRM and Devices is set.
type Resource struct {
	// Name is that of an extended resource. In a DRM resource {driver} stands for the driver of each card, so that one entry makes
	// several resources.
	Name             string          `yaml:"name"`
	SharedDevices    int             `yaml:"sharedDevices,omitempty"`
	AllocationPolicy device.Policy   `yaml:"allocationPolicy,omitempty"`
	DRM              *DRM            `yaml:"drm,omitempty"`
	Devices          []generic.Group `yaml:"devices,omitempty"`
}

// DRM describes GPUs. A card belongs to the first resource that selects it; monitoring takes none away.
type DRM struct {
	Select     []drm.Selector `yaml:"select,omitempty"` // any of them; every GPU if empty
	ByPath     drm.ByPath     `yaml:"byPath,omitempty"`
	Env        *string        `yaml:"env,omitempty"` // variable with the render node's path; GPU_RENDER_NODE if not given, none if ""
	CDI        []string       `yaml:"cdi,omitempty"` // names to hand out as well; {address} stands for the card's address
	Monitoring bool           `yaml:"monitoring,omitempty"`
}

// Matches reports whether one of the selectors picks the card.
func (d DRM) Matches(c drm.Card) bool {
	for _, s := range d.Select {
		if s.Matches(c) {
			return true
		}
	}
	return len(d.Select) == 0 && drm.Selector{}.Matches(c)
}

// Options are what the cards of the resource hand out.
func (d DRM) Options() drm.Options {
	o := drm.Options{ByPath: d.ByPath, Env: drm.RenderNodeEnv, CDI: d.CDI}
	if d.Env != nil {
		o.Env = *d.Env
	}
	return o
}

func defaults() Config {
	return Config{
		SharedDevices: 1, AllocationPolicy: device.Spread, ByPath: drm.ByPathSingle,
		DevicePluginDir: kubelet.DefaultDir, Listen: ":8080", ScanInterval: 30 * time.Second,
		LogLevel: "info", LogFormat: "json",
	}
}
