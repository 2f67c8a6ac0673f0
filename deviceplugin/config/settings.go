package config

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/drm"
)

// settings are the flags: those that set a field of Config, those that describe Intel's resources, and what to do.
type settings struct {
	config Config
	intel  intel
	action Action
	file   string
	set    *flag.FlagSet
}

// Action is what the program is asked to do.
type Action struct {
	Once        bool   // print what would be advertised
	PrintConfig bool   // print the configuration
	Version     bool   // print the version
	Output      string // table or json, for Once
}

func newSettings(usage io.Writer) *settings {
	s := &settings{config: defaults(), set: flag.NewFlagSet("berth-device-plugin", flag.ContinueOnError)}
	s.set.SetOutput(usage)
	c, f := &s.config, s.set
	f.Func("shared-dev-num", "how many pods may use a device at a time; nothing divides it among them (default 1)", setInt(&c.SharedDevices))
	f.Func("allocation-policy", "none, spread (or balanced) or packed (default spread)", setParsed(&c.AllocationPolicy, device.ParsePolicy))
	f.Func("bypath", "what a container gets of /dev/dri/by-path: single, none or all (default single)", setParsed(&c.ByPath, drm.ParseByPath))
	f.StringVar(&c.DevicePluginDir, "device-plugin-dir", c.DevicePluginDir, "the kubelet's `folder` for device plugins")
	f.StringVar(&c.Listen, "listen", c.Listen, "`address` for /metrics, /healthz and /readyz; empty for none")
	f.DurationVar(&c.ScanInterval, "scan-interval", c.ScanInterval, "how often to look at the devices")
	f.StringVar(&c.LogLevel, "log-level", c.LogLevel, "debug, info, warn or error")
	f.StringVar(&c.LogFormat, "log-format", c.LogFormat, "json or text")
	f.StringVar(&c.Prefix, "prefix", c.Prefix, "`folder` that stands for / when looking at sys and dev, for tests")
	f.Func("v", "verbosity as in klog: 1 and more is -log-level=debug", c.verbosity)
	s.intel.flags(f)
	f.StringVar(&s.file, "config", "", "YAML `file` with settings and resources")
	f.BoolVar(&s.action.Once, "once", false, "print what would be advertised on this node, and exit")
	f.StringVar(&s.action.Output, "o", "table", "with -once: table or json")
	f.BoolVar(&s.action.PrintConfig, "print-config", false, "print the configuration as YAML, and exit")
	f.BoolVar(&s.action.Version, "version", false, "print the version, and exit")
	return s
}

func setInt(to *int) func(string) error {
	return func(text string) (err error) {
		*to, err = strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
		return nil
	}
}

func setParsed[T any](to *T, parse func(string) (T, error)) func(string) error {
	return func(text string) (err error) {
		*to, err = parse(text)
		return err
	}
}

func (c *Config) verbosity(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%q is not a number", text)
	}
	if n > 0 {
		c.LogLevel = "debug"
	}
	return nil
}

// EnvPrefix is what the environment variable of a flag begins with: BERTH_DEVICE_PLUGIN_SHARED_DEV_NUM for -shared-dev-num.
const EnvPrefix = "BERTH_DEVICE_PLUGIN_"

func envName(flagName string) string {
	return EnvPrefix + strings.ToUpper(strings.ReplaceAll(flagName, "-", "_"))
}

// environ reads the settings in the environment. Kubernetes adds variables for each Service of a namespace, and one for a Service named
// berth-device-plugin begins as ours do.
func (s *settings) environ(environ []string) error {
	byEnv := map[string]string{}
	s.set.VisitAll(func(f *flag.Flag) { byEnv[envName(f.Name)] = f.Name })
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, EnvPrefix) || serviceLink(name) {
			continue
		}
		flagName, ok := byEnv[name]
		if !ok {
			return fmt.Errorf("environment variable %s: there is no such setting", name)
		}
		if err := s.set.Set(flagName, value); err != nil {
			return fmt.Errorf("environment variable %s: %w", name, err)
		}
	}
	return nil
}

func serviceLink(name string) bool {
	rest := "_" + strings.TrimPrefix(name, EnvPrefix)
	for _, end := range []string{"_SERVICE_HOST", "_PORT"} {
		if strings.HasSuffix(rest, end) {
			return true
		}
	}
	return strings.Contains(rest, "_SERVICE_PORT") || strings.Contains(rest, "_PORT_")
}
