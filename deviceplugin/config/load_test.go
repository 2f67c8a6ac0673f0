package config_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/drm"
)

// load reads settings; file is the content of /c.yaml.
func load(file string, environ []string, args ...string) (config.Config, config.Action, error) {
	return config.Load(config.Source{Args: args, Environ: environ, Usage: io.Discard, ReadFile: func(name string) ([]byte, error) {
		if name != "/c.yaml" {
			return nil, os.ErrNotExist
		}
		return []byte(file), nil
	}})
}

func TestWithoutSettingsItOffersWhatIntelsPluginOffers(t *testing.T) {
	c, _, err := load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []config.Resource{{
		Name: "gpu.intel.com/{driver}", SharedDevices: 1, AllocationPolicy: device.Spread,
		DRM: &config.DRM{ByPath: drm.ByPathSingle, Select: []drm.Selector{{Vendors: []string{"0x8086"}, Drivers: []string{"i915", "xe"}}}},
	}}
	if diff := cmp.Diff(want, c.Resources); diff != "" {
		t.Error(diff)
	}
	if c.DevicePluginDir != "/var/lib/kubelet/device-plugins" || c.Listen != ":8080" || c.ScanInterval != 30*time.Second {
		t.Errorf("got %+v", c)
	}
}

// describe writes the resources in a line.
func describe(c config.Config) string {
	all := make([]string, 0, len(c.Resources))
	for _, r := range c.Resources {
		text := fmt.Sprintf("%s x%d %s", r.Name, r.SharedDevices, r.AllocationPolicy)
		if r.DRM != nil {
			text += fmt.Sprintf(" %s %v", r.DRM.ByPath, r.DRM.Select)
			if r.DRM.Monitoring {
				text += " monitoring"
			}
		}
		for _, g := range r.Devices {
			text += " " + g.String()
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n")
}

func TestSettings(t *testing.T) {
	const intel = "[a GPU with vendor 0x8086, driver i915 or xe]"
	tests := map[string]struct {
		file    string
		environ []string
		args    []string
		want    string
	}{
		"flags as Intel spells them, with one dash or two": {
			args: []string{"-shared-dev-num=10", "--allocation-policy", "balanced", "-bypath", "none", "-v=2"},
			want: "gpu.intel.com/{driver} x10 spread none " + intel,
		},
		"devices that are left out": {
			args: []string{"-deny-ids", "0x4680, 0x56a0"},
			want: "gpu.intel.com/{driver} x1 spread single [a GPU with vendor 0x8086, not device 0x4680 or 0x56a0, driver i915 or xe]",
		},
		"monitoring is not shared": {
			args: []string{"-enable-monitoring", "-shared-dev-num=3"},
			want: "gpu.intel.com/{driver} x3 spread single " + intel + "\ngpu.intel.com/monitoring x1 spread single " + intel + " monitoring",
		},
		"monitoring for each driver": {
			args: []string{"-enable-monitoring", "-monitoring-mode=split"},
			want: "gpu.intel.com/{driver} x1 spread single " + intel + "\ngpu.intel.com/{driver}_monitoring x1 spread single " + intel + " monitoring",
		},
		"WSL2": {args: []string{"-wsl"}, want: "gpu.intel.com/dxg x1 spread /dev/dxg"},
		"the environment": {
			environ: []string{"BERTH_DEVICE_PLUGIN_SHARED_DEV_NUM=4", "PATH=/bin", "BERTH_DEVICE_PLUGIN_WSL=true"},
			want:    "gpu.intel.com/dxg x4 spread /dev/dxg",
		},
		"a Service that is called as we are is no setting": {
			environ: []string{
				"BERTH_DEVICE_PLUGIN_SERVICE_HOST=10.0.0.1", "BERTH_DEVICE_PLUGIN_SERVICE_PORT_METRICS=8080", "BERTH_DEVICE_PLUGIN_PORT=tcp://10.0.0.1:8080",
				"BERTH_DEVICE_PLUGIN_PORT_8080_TCP_ADDR=10.0.0.1", "BERTH_DEVICE_PLUGIN_METRICS_SERVICE_HOST=10.0.0.1",
			},
			want: "gpu.intel.com/{driver} x1 spread single " + intel,
		},
		"a flag stands before the environment": {
			environ: []string{"BERTH_DEVICE_PLUGIN_SHARED_DEV_NUM=4"}, args: []string{"-shared-dev-num=5"},
			want: "gpu.intel.com/{driver} x5 spread single " + intel,
		},
		"the environment stands before the file": {
			file: "sharedDevices: 3\nallocationPolicy: packed\n", environ: []string{"BERTH_DEVICE_PLUGIN_SHARED_DEV_NUM=4", "BERTH_DEVICE_PLUGIN_CONFIG=/c.yaml"},
			want: "gpu.intel.com/{driver} x4 packed single " + intel,
		},
		"an empty file says nothing": {file: "# nothing\n", args: []string{"-config=/c.yaml"}, want: "gpu.intel.com/{driver} x1 spread single " + intel},
		"resources of their own": {
			args: []string{"-config=/c.yaml", "-shared-dev-num=2"},
			file: `
resources:
  - name: gpu.intel.com/igpu
    sharedDevices: 8
    drm:
      select: [{addresses: ["0000:00:02.0"]}]
  - name: berth.dev/gpu
    drm: {byPath: all}
  - name: berth.dev/zigbee
    allocationPolicy: none
    devices:
      - members: [{usb: {vendor: "10c4", product: "ea60", node: tty}, mountPath: /dev/zigbee}]
`,
			want: "gpu.intel.com/igpu x8 spread single [a GPU with address 0000:00:02.0]\nberth.dev/gpu x2 spread all []\nberth.dev/zigbee x2 none USB device 10c4:ea60",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c, _, err := load(test.file, test.environ, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, describe(c)); diff != "" {
				t.Error(diff)
			}
			readsBack(t, c)
		})
	}
}

// readsBack checks that what -print-config prints is a file that means the same.
func readsBack(t *testing.T, c config.Config) {
	t.Helper()
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := load(string(text), nil, "-config=/c.yaml")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(c, again); diff != "" {
		t.Errorf("%s\n%s", diff, text)
	}
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	file := func(text string) []string { return []string{"-config=/c.yaml", "file:" + text} }
	tests := map[string][]string{
		`-shared-dev-num: "ten" is not a number`:            {"-shared-dev-num=ten"},
		`sharedDevices: 0 is not between 1 and 10000`:       {"-shared-dev-num=0"},
		`sharedDevices: 1000000 is not between 1 and 10000`: {"-shared-dev-num=1000000"},
		`use none, spread`:                                                                      {"-allocation-policy=random"},
		`by-path "some": use single, none or all`:                                               {"-bypath=some"},
		`-allow-ids and -deny-ids: give one of them`:                                            {"-allow-ids=0x4680", "-deny-ids=0x56a0"},
		`devices: "0x56A0" is not a PCI id`:                                                     {"-allow-ids=0x56A0"},
		`this plugin opens no device`:                                                           {"-health-management"},
		`-monitoring-mode "double": use single or split`:                                        {"-enable-monitoring", "-monitoring-mode=double"},
		`-wsl: cannot go with -enable-monitoring`:                                               {"-wsl", "-enable-monitoring"},
		`argument "serve": there are flags only`:                                                {"serve"},
		`flag provided but not defined: -shared-devices`:                                        {"-shared-devices=3"},
		`logLevel: "loud": use debug, info, warn, error`:                                        {"-log-level=loud"},
		`listen: "8080" is not an address`:                                                      {"-listen=8080"},
		`logFormat: "xml": use json, text`:                                                      {"-log-format=xml"},
		`scanInterval: 1ms is not between`:                                                      {"-scan-interval=1ms"},
		`devicePluginDir: "plugins" is not an absolute path`:                                    {"-device-plugin-dir=plugins"},
		`is 9 bytes too long for the sockets in it`:                                             {"-device-plugin-dir=/" + strings.Repeat("d", 75)},
		`-o "xml": use table or json`:                                                           {"-once", "-o=xml"},
		`reading the configuration: file does not exist`:                                        {"-config=/other.yaml"},
		`environment variable BERTH_DEVICE_PLUGIN_SHARED: there is no`:                          {"env:BERTH_DEVICE_PLUGIN_SHARED=1"},
		`environment variable BERTH_DEVICE_PLUGIN_WSL: "1" is neither`:                          {"env:BERTH_DEVICE_PLUGIN_WSL=1"},
		`/c.yaml: unmarshal errors: line 2: field sharedDevNum not found in type config.Config`: file("listen: \"\"\nsharedDevNum: 1\n"),
		`/c.yaml: there is more than one YAML document`:                                         file("listen: \"\"\n---\nlisten: \"\"\n"),
		`line 1: cannot unmarshal !!str ` + "`many`" + ` into int`:                              file("sharedDevices: many\n"),
		`resources[0]: resource "i915": write a domain`:                                         file("resources: [{name: i915, drm: {}}]"),
		`resources[0]: a.b/c: set either drm or devices`:                                        file("resources: [{name: a.b/c}]"),
		`resources[1]: a.b/c is already described above`:                                        file("resources: [{name: a.b/c, drm: {}}, {name: a.b/c, drm: {}}]"),
		`a.b/c: drm: select[0]: vendors: "8086" is not a PCI id`:                                file("resources: [{name: a.b/c, drm: {select: [{vendors: [\"8086\"]}]}}]"),
		`a.b/c: drm: env: "A=B" is not the name of a variable`:                                  file("resources: [{name: a.b/c, drm: {env: A=B}}]"),
		`a.b/c: drm: cdi: "gpu0" is not a qualified name`:                                       file("resources: [{name: a.b/c, drm: {cdi: [gpu0]}}]"),
		`a.b/c: devices[0]: members: a group needs at least one`:                                file("resources: [{name: a.b/c, devices: [{}]}]"),
		`resource "a.b/{driver}": "{driver}" is not a name`:                                     file("resources: [{name: \"a.b/{driver}\", devices: [{members: [{path: /dev/kvm}]}]}]"),
		`a.b/c: sharedDevices: -1 is not between`:                                               file("resources: [{name: a.b/c, sharedDevices: -1, drm: {}}]"),
		`-allow-ids, -enable-monitoring: the configuration lists its resources`:                 append(file("resources: [{name: a.b/c, drm: {}}]"), "-allow-ids=0x4680", "-enable-monitoring"),
	}
	for want, given := range tests {
		var args, environ []string
		text := ""
		for _, g := range given {
			if rest, ok := strings.CutPrefix(g, "env:"); ok {
				environ = append(environ, rest)
			} else if rest, ok := strings.CutPrefix(g, "file:"); ok {
				text = rest
			} else {
				args = append(args, g)
			}
		}
		if _, _, err := load(text, environ, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v:\n got %v\nwant %s", given, err, want)
		}
	}
}

func TestHelpNamesEveryFlagAndIsNoError(t *testing.T) {
	var b bytes.Buffer
	_, _, err := config.Load(config.Source{Args: []string{"-help"}, Usage: &b})
	if !errors.Is(err, flag.ErrHelp) {
		t.Fatalf("got %v", err)
	}
	for _, name := range []string{"shared-dev-num", "allocation-policy", "enable-monitoring", "monitoring-mode", "bypath", "allow-ids", "deny-ids", "wsl", "prefix", "once", "print-config", "config"} {
		if !strings.Contains(b.String(), "  -"+name) {
			t.Errorf("-%s is not in the help", name)
		}
	}
}

func TestActions(t *testing.T) {
	_, a, err := load("", nil, "-once", "-o=json", "-print-config", "-version")
	if want := (config.Action{Once: true, PrintConfig: true, Version: true, Output: "json"}); err != nil || a != want {
		t.Errorf("got %+v, %v", a, err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("resources: [{name: a.b/c, drm: {select: [{vendors: [\"0x8086\"]}]}}]", "-shared-dev-num=2")
	f.Add("resources:\n- name: a.b/c\n  devices: [{members: [{usb: {vendor: \"10c4\"}}, {path: /dev/x*, type: Mount}]}]", "-v=1")
	f.Add("a: &a [*a]", "--")
	f.Add("sharedDevices: 0x10\nscanInterval: 5s", "-wsl")
	f.Fuzz(func(t *testing.T, file, arg string) {
		c, _, err := load(file, nil, "-config=/c.yaml", arg)
		if err == nil {
			readsBack(t, c)
		}
	})
}
