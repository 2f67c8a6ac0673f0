package drm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/drm"
)

var card = drm.Card{
	Address: "0000:00:02.0", VendorID: "0x8086", DeviceID: "0x4680", Driver: "i915",
	Nodes: []string{"card0", "renderD128"}, ByPath: []string{"pci-0000:00:02.0-card"}, MEI: []string{"mei0"}, NUMA: one(),
}

func node(p string) device.Node {
	return device.Node{HostPath: p, ContainerPath: p, Permissions: "rw"}
}

func TestADeviceHasTheShapeThatIntelsPluginGivesIt(t *testing.T) {
	link := "/dev/dri/by-path/pci-0000:00:02.0-card"
	want := device.Device{Identity: "0000:00:02.0", Healthy: true, NUMA: one(), Grant: device.Grant{
		Nodes:  []device.Node{node("/dev/dri/card0"), node("/dev/dri/renderD128")},
		Mounts: []device.Mount{{HostPath: link, ContainerPath: link, ReadOnly: true}},
		Env: []device.Env{
			{Name: "GPU_RENDER_NODE", Value: "/dev/dri/renderD128"},
			{Name: "GPU_RENDER_NODES", Value: "/dev/dri/renderD128", Join: true},
		},
		CDI: []string{"example.com/gpu=0000:00:02.0"},
	}}
	got := card.Device(drm.Options{ByPath: drm.ByPathSingle, Env: drm.RenderNodeEnv, CDI: []string{"example.com/gpu={address}"}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestByPathAndTheVariableCanBeTurnedOff(t *testing.T) {
	if g := card.Device(drm.Options{ByPath: drm.ByPathNone}).Grant; len(g.Mounts) != 0 || len(g.Env) != 0 {
		t.Errorf("got %+v", g)
	}
	all := card.Device(drm.Options{ByPath: drm.ByPathAll}).Grant.Mounts
	if diff := cmp.Diff([]device.Mount{{HostPath: "/dev/dri/by-path", ContainerPath: "/dev/dri/by-path", ReadOnly: true}}, all); diff != "" {
		t.Error(diff)
	}
}

func TestMonitoringIsOneDeviceWithEverything(t *testing.T) {
	other := drm.Card{Address: "0000:03:00.0", Nodes: []string{"card1", "renderD129"}, NUMA: one()}
	got := drm.Monitoring([]drm.Card{card, other}, drm.Options{ByPath: drm.ByPathNone})
	want := []string{"/dev/dri/card0", "/dev/dri/renderD128", "/dev/mei0", "/dev/dri/card1", "/dev/dri/renderD129"}
	if diff := cmp.Diff(want, got.Grant.HostPaths()); diff != "" {
		t.Error(diff)
	}
	if got.NUMA != nil || got.Identity != "all" {
		t.Errorf("got %+v", got)
	}
}

func TestSelectors(t *testing.T) {
	tests := map[string]struct {
		selector drm.Selector
		card     drm.Card
		want     bool
	}{
		"an empty one picks every card":          {drm.Selector{}, card, true},
		"but no card with virtual functions":     {drm.Selector{}, drm.Card{VFs: 2}, false},
		"a vendor among several":                 {drm.Selector{Vendors: []string{"0x1002", "0x8086"}}, card, true},
		"another vendor":                         {drm.Selector{Vendors: []string{"0x1002"}}, card, false},
		"a device that is left out":              {drm.Selector{Exclude: []string{"0x4680"}}, card, false},
		"a pattern of addresses":                 {drm.Selector{Addresses: []string{"0000:00:*"}}, card, true},
		"an address that merely begins the same": {drm.Selector{Addresses: []string{"0000:00:02"}}, card, false},
		"everything must match":                  {drm.Selector{Vendors: []string{"0x8086"}, Drivers: []string{"xe"}}, card, false},
	}
	for name, test := range tests {
		if got := test.selector.Matches(test.card); got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestSelectorsThatCouldMatchNothingAreRefused(t *testing.T) {
	for want, s := range map[string]drm.Selector{
		`vendors: "8086" is not a PCI id`:       {Vendors: []string{"8086"}},
		`devices: "0x56A0" is not a PCI id`:     {Devices: []string{"0x56A0"}},
		`exclude: "" is not a PCI id`:           {Exclude: []string{""}},
		`addresses: "[" is not an address`:      {Addresses: []string{"["}},
		`drivers: "" is not the name`:           {Drivers: []string{""}},
		`drivers: "i915 " is not the name of a`: {Drivers: []string{"i915 "}},
	} {
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if got := (drm.Selector{Vendors: []string{"0x8086"}, Drivers: []string{"i915", "xe"}}).String(); got != "a GPU with vendor 0x8086, driver i915 or xe" {
		t.Errorf("got %s", got)
	}
}
