package config

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/drm"
	"github.com/berth-dev/berth/deviceplugin/kubelet"
)

// DriverPlaceholder stands for the name of a card's driver in the name of a resource.
const DriverPlaceholder = "{driver}"

// complete hands the defaults down to the resources, and reports the first thing that is wrong.
func (c *Config) complete() error {
	if err := c.check(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range c.Resources {
		r := &c.Resources[i]
		if err := r.complete(c); err != nil {
			return fmt.Errorf("resources[%d]: %w", i, err)
		}
		if seen[r.Name] {
			return fmt.Errorf("resources[%d]: %s is already described above: put the devices of one resource into one entry", i, r.Name)
		}
		seen[r.Name] = true
	}
	return nil
}

func (c *Config) check() error {
	if err := checkShares("sharedDevices", c.SharedDevices); err != nil {
		return err
	}
	var err error
	if c.AllocationPolicy, err = device.ParsePolicy(string(c.AllocationPolicy)); err != nil {
		return err
	}
	if c.ByPath, err = drm.ParseByPath(string(c.ByPath)); err != nil {
		return err
	}
	if !filepath.IsAbs(c.DevicePluginDir) {
		return fmt.Errorf("devicePluginDir: %q is not an absolute path", c.DevicePluginDir)
	}
	if c.ScanInterval < 100*time.Millisecond || c.ScanInterval > time.Hour {
		return fmt.Errorf("scanInterval: %v is not between 100ms and 1h", c.ScanInterval)
	}
	if err := oneOf("logLevel", c.LogLevel, "debug", "info", "warn", "error"); err != nil {
		return err
	}
	if err := oneOf("logFormat", c.LogFormat, "json", "text"); err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(c.Listen); c.Listen != "" && err != nil {
		return fmt.Errorf("listen: %q is not an address: write :8080 or 127.0.0.1:8080, or nothing", c.Listen)
	}
	return kubelet.ValidateDir(c.DevicePluginDir)
}

func oneOf(field, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return fmt.Errorf("%s: %q: use %s", field, value, strings.Join(allowed, ", "))
}

// checkShares refuses what a kubelet could not take in: see device.MaxShares.
func checkShares(field string, n int) error {
	if n < 1 || n > device.MaxShares {
		return fmt.Errorf("%s: %d is not between 1 and %d", field, n, device.MaxShares)
	}
	return nil
}

func (r *Resource) complete(c *Config) error {
	if err := r.checkName(); err != nil {
		return err
	}
	if r.SharedDevices == 0 {
		r.SharedDevices = c.SharedDevices
	}
	if err := checkShares("sharedDevices", r.SharedDevices); err != nil {
		return fmt.Errorf("%s: %w", r.Name, err)
	}
	if r.AllocationPolicy == "" {
		r.AllocationPolicy = c.AllocationPolicy
	}
	var err error
	if r.AllocationPolicy, err = device.ParsePolicy(string(r.AllocationPolicy)); err != nil {
		return fmt.Errorf("%s: %w", r.Name, err)
	}
	if (r.DRM == nil) == (len(r.Devices) == 0) {
		return fmt.Errorf("%s: set either drm or devices", r.Name)
	}
	if r.DRM != nil {
		err = r.DRM.complete(c)
	}
	for i, g := range r.Devices {
		if err := g.Validate(); err != nil {
			return fmt.Errorf("%s: devices[%d]: %w", r.Name, i, err)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: drm: %w", r.Name, err)
	}
	return nil
}

func (r *Resource) checkName() error {
	name := r.Name
	if r.DRM != nil {
		name = strings.ReplaceAll(name, DriverPlaceholder, "driver")
	}
	return device.ValidateResource(name)
}

func (d *DRM) complete(c *Config) error {
	if d.ByPath == "" {
		d.ByPath = c.ByPath
	}
	if _, err := drm.ParseByPath(string(d.ByPath)); err != nil {
		return err
	}
	for i, s := range d.Select {
		if err := s.Validate(); err != nil {
			return fmt.Errorf("select[%d]: %w", i, err)
		}
	}
	if d.Env != nil && strings.ContainsAny(*d.Env, "= \t\n\x00") {
		return fmt.Errorf("env: %q is not the name of a variable", *d.Env)
	}
	for _, name := range d.CDI {
		if kind, device, ok := strings.Cut(name, "="); !ok || !strings.Contains(kind, "/") || device == "" {
			return fmt.Errorf("cdi: %q is not a qualified name: write vendor.com/class=name", name)
		}
	}
	return nil
}
