package inventory_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/discover"
	"github.com/berth-dev/berth/deviceplugin/inventory"
)

const resource = "gpu.intel.com/i915"

// gpu is a device at an address with nodes in /dev/dri.
func gpu(address string, names ...string) device.Device {
	d := device.Device{Identity: address, Healthy: true}
	for _, n := range names {
		d.Grant.Nodes = append(d.Grant.Nodes, device.Node{HostPath: n, ContainerPath: n, Permissions: "rw"})
	}
	return d
}

// all is a monitoring device.
func all(names ...string) device.Device {
	d := gpu("all", names...)
	d.Varies = true
	return d
}

var errRead = errors.New("input/output error")

func found(devices ...device.Device) discover.Result {
	r := discover.Result{}
	if len(devices) > 0 {
		r.Resources = []discover.Resource{{Name: resource, Devices: devices, Shares: 1, Policy: device.Spread}}
	}
	return r
}

func partly(devices ...device.Device) discover.Result {
	r := found(devices...)
	r.Err = errRead
	return r
}

// lost is true for the one node that is certainly not there.
func lost(hostPath string) bool { return hostPath == "lost" }

// state is what the feed holds: + for healthy, - for not.
func state(inv *inventory.Inventory) string {
	var devices []string
	for _, e := range inv.Entries() {
		list, _ := e.Feed.Current()
		for _, s := range list.Shares {
			sign := "-"
			if s.Device.Healthy {
				sign = "+"
			}
			devices = append(devices, sign+s.Device.Identity+"="+strings.Join(s.Device.Grant.HostPaths(), ","))
		}
	}
	return strings.Join(devices, " ")
}

func TestWhatIsKnownAfterEachScan(t *testing.T) {
	a, b := gpu("a", "card0", "render0"), gpu("b", "card1", "render1")
	type step struct {
		scan discover.Result
		want string
	}
	tests := map[string][]step{
		"a device that vanishes is unhealthy, and healthy when it is back": {
			{found(a, b), "+a=card0,render0 +b=card1,render1"},
			{found(a), "+a=card0,render0 -b=card1,render1"},
			{found(), "-a=card0,render0 -b=card1,render1"},
			{found(a, b), "+a=card0,render0 +b=card1,render1"},
		},
		"a device that lacks a node is the same device": {
			{found(a), "+a=card0,render0"},
			{found(gpu("a", "card0")), "-a=card0,render0"},
			{found(a), "+a=card0,render0"},
		},
		"a device that has another node is another entry, and the old one goes": {
			{found(a), "+a=card0,render0"},
			{found(gpu("a", "card1", "render1")), "+a=card1,render1"},
		},
		"a device that gets a node is another entry": {
			{found(gpu("a", "card0")), "+a=card0"},
			{found(a), "+a=card0,render0"},
		},
		"two devices that swap their numbers both change": {
			{found(a, b), "+a=card0,render0 +b=card1,render1"},
			{found(gpu("a", "card1", "render1"), gpu("b", "card0", "render0")), "+a=card1,render1 +b=card0,render0"},
		},
		"a scan that could not read everything takes nothing away": {
			{found(a, b), "+a=card0,render0 +b=card1,render1"},
			{partly(), "+a=card0,render0 +b=card1,render1"},
			{partly(gpu("a", "card0")), "+a=card0,render0 +b=card1,render1"},
			{found(b), "-a=card0,render0 +b=card1,render1"},
		},
		"unless its node is plainly not there": {
			{found(a, gpu("c", "lost")), "+a=card0,render0 +c=lost"},
			{partly(), "+a=card0,render0 -c=lost"},
			{partly(gpu("c", "lost")), "+a=card0,render0 +c=lost"},
			{partly(), "+a=card0,render0 -c=lost"},
		},
		"but it adds what it found": {
			{found(a), "+a=card0,render0"},
			{partly(b), "+a=card0,render0 +b=card1,render1"},
		},
		"a device that is whatever there is has fewer nodes then": {
			{found(all("card0", "card1")), "+all=card0,card1"},
			{found(all("card0")), "+all=card0"},
			{found(all("card0", "card1")), "+all=card0,card1"},
			{partly(all("card0")), "+all=card0,card1"},
			{found(), "-all=card0,card1"},
		},
		"a device that is found twice is there once": {{found(a, a), "+a=card0,render0"}},
		"a node without devices has no resource":     {{found(), ""}, {partly(), ""}},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			inv := inventory.New(slog.New(slog.DiscardHandler), lost)
			for i, s := range steps {
				inv.Update(s.scan)
				if got := state(inv); got != s.want {
					t.Fatalf("step %d: got %q, want %q", i+1, got, s.want)
				}
			}
		})
	}
}

func TestTheIDComesBackWithTheDeviceAndChangesWithItsNumber(t *testing.T) {
	inv := inventory.New(slog.New(slog.DiscardHandler), lost)
	id := func(scan discover.Result) string {
		inv.Update(scan)
		list, _ := inv.Entries()[0].Feed.Current()
		return list.Shares[0].ID
	}
	first := id(found(gpu("a", "card0")))
	if away, back := id(found()), id(found(gpu("a", "card0"))); away != first || back != first {
		t.Errorf("the ID was %s, then %s, then %s", first, away, back)
	}
	if moved := id(found(gpu("a", "card1"))); moved == first {
		t.Error("the ID stayed while the node changed")
	}
}

// A plugin that publishes without a change makes the kubelet write its checkpoint each time.
func TestOnlyChangesArePublishedAndLogged(t *testing.T) {
	var log bytes.Buffer
	inv := inventory.New(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}})), lost)
	added, changed := inv.Update(found(gpu("a", "card0")))
	if len(added) != 1 || added[0].Name != resource || !changed {
		t.Fatalf("added %v, changed %v", added, changed)
	}
	version := func() uint64 {
		list, _ := added[0].Feed.Current()
		return list.Version
	}
	before := version()
	for range 5 {
		if more, changed := inv.Update(found(gpu("a", "card0"))); len(more) != 0 || changed || version() != before {
			t.Fatalf("nothing changed, but: added %v, changed %v, version %d after %d", more, changed, version(), before)
		}
	}
	inv.Update(found())
	inv.Update(found())
	inv.Update(found(gpu("a", "card0")))
	inv.Update(found(gpu("a", "card1")))
	want := `msg="device found" resource=gpu.intel.com/i915 device=a nodes=[card0] shares=1
msg="device is away" resource=gpu.intel.com/i915 device=a nodes=[card0]
msg="device is back" resource=gpu.intel.com/i915 device=a nodes=[card0]
msg="device has changed" resource=gpu.intel.com/i915 device=a nodes=[card1] before=[card0]
`
	if diff := cmp.Diff(want, log.String()); diff != "" {
		t.Error(diff)
	}
}
