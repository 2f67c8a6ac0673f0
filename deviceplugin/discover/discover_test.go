package discover_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/discover"
	"github.com/berth-dev/berth/deviceplugin/drm/drmtest"
)

func card(n int, device, driver string) drmtest.Card {
	return drmtest.Card{
		Address: fmt.Sprintf("0000:%02d:00.0", n), Vendor: "0x8086", Device: device, Driver: driver, NUMA: "-1",
		Nodes: []string{fmt.Sprintf("card%d", n), fmt.Sprintf("renderD%d", 128+n)},
	}
}

func other(c drmtest.Card, vendor string) drmtest.Card {
	c.Vendor = vendor
	return c
}

func settings(t *testing.T, file string, args ...string) []config.Resource {
	t.Helper()
	if file != "" {
		args = append(args, "-config=c")
	}
	c, _, err := config.Load(config.Source{Args: args, Usage: io.Discard, ReadFile: func(string) ([]byte, error) { return []byte(file), nil }})
	if err != nil {
		t.Fatal(err)
	}
	return c.Resources
}

// describe writes one line for each resource: its name, and the nodes of its devices.
func describe(r discover.Result) string {
	lines := make([]string, 0, len(r.Resources))
	for _, res := range r.Resources {
		line := fmt.Sprintf("%s x%d:", res.Name, res.Shares)
		for _, d := range res.Devices {
			line += " " + strings.ReplaceAll(strings.Join(d.Grant.HostPaths(), "+"), "/dev/dri/", "")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestCardsGoToTheResourcesThatSelectThem(t *testing.T) {
	igpu, dgpu := card(0, "0x4680", "i915"), card(1, "0x56a0", "xe")
	pf := card(2, "0x56c0", "xe")
	pf.VFs = "2"
	vf1, vf2 := card(3, "0x56c0", "xe"), card(4, "0x56c0", "xe")
	vf1.Function, vf2.Function = true, true
	bochs := other(card(5, "0x1111", "bochs"), "0x1234")
	bochs.Nodes = bochs.Nodes[:1]
	tests := map[string]struct {
		tree drmtest.Tree
		file string
		args []string
		want string
	}{
		"one i915 card": {
			tree: drmtest.Tree{}.Add(igpu), want: "gpu.intel.com/i915 x1: card0+renderD128",
		},
		"i915 and xe are two resources": {
			tree: drmtest.Tree{}.Add(igpu).Add(dgpu), args: []string{"-shared-dev-num=13"},
			want: "gpu.intel.com/i915 x13: card0+renderD128\ngpu.intel.com/xe x13: card1+renderD129",
		},
		"a card of a virtual machine's display is not Intel's": {
			tree: drmtest.Tree{}.Add(bochs).Add(igpu), want: "gpu.intel.com/i915 x1: card0+renderD128",
		},
		"a card that a virtual machine has is no GPU of the node": {
			tree: drmtest.Tree{}.Add(card(0, "0x4680", "vfio-pci")), want: "",
		},
		"virtual functions stand in for the physical one": {
			tree: drmtest.Tree{}.Add(pf).Add(vf1).Add(vf2), args: []string{"-enable-monitoring"},
			want: "gpu.intel.com/monitoring x1: card3+renderD131+card4+renderD132\ngpu.intel.com/xe x1: card3+renderD131 card4+renderD132",
		},
		"a physical function without virtual ones is a card": {
			tree: drmtest.Tree{}.Add(func() drmtest.Card { c := pf; c.VFs = "0"; return c }()), want: "gpu.intel.com/xe x1: card2+renderD130",
		},
		"monitoring sees all cards, and takes none away": {
			tree: drmtest.Tree{}.Add(igpu).Add(dgpu), args: []string{"-enable-monitoring"},
			want: "gpu.intel.com/i915 x1: card0+renderD128\ngpu.intel.com/monitoring x1: card0+renderD128+card1+renderD129\ngpu.intel.com/xe x1: card1+renderD129",
		},
		"monitoring for each driver": {
			tree: drmtest.Tree{}.Add(igpu).Add(dgpu), args: []string{"-enable-monitoring", "-monitoring-mode=split"},
			want: "gpu.intel.com/i915 x1: card0+renderD128\ngpu.intel.com/i915_monitoring x1: card0+renderD128\n" +
				"gpu.intel.com/xe x1: card1+renderD129\ngpu.intel.com/xe_monitoring x1: card1+renderD129",
		},
		"devices that are allowed": {
			tree: drmtest.Tree{}.Add(igpu).Add(dgpu), args: []string{"-allow-ids=0x56a0"}, want: "gpu.intel.com/xe x1: card1+renderD129",
		},
		"devices that are denied": {
			tree: drmtest.Tree{}.Add(igpu).Add(dgpu), args: []string{"-deny-ids=0x56a0"}, want: "gpu.intel.com/i915 x1: card0+renderD128",
		},
		"an integrated and a discrete GPU as two resources": {
			tree: drmtest.Tree{}.Add(igpu).Add(dgpu),
			file: `resources:
- {name: example.com/igpu, sharedDevices: 4, drm: {select: [{devices: ["0x4680"]}]}}
- {name: example.com/dgpu, drm: {select: [{addresses: ["0000:01:*"]}]}}`,
			want: "example.com/dgpu x1: card1+renderD129\nexample.com/igpu x4: card0+renderD128",
		},
		"a card belongs to the first that selects it": {
			tree: drmtest.Tree{}.Add(igpu).Add(dgpu),
			file: `resources:
- {name: example.com/arc, drm: {select: [{devices: ["0x56a0"]}]}}
- {name: example.com/gpu, drm: {}}`,
			want: "example.com/arc x1: card1+renderD129\nexample.com/gpu x1: card0+renderD128",
		},
		"a name that does not change with the driver": {
			tree: drmtest.Tree{}.Add(igpu).Add(dgpu), file: `resources: [{name: example.com/gpu, drm: {select: [{vendors: ["0x8086"]}]}}]`,
			want: "example.com/gpu x1: card0+renderD128 card1+renderD129",
		},
		"any vendor's card, by its driver": {
			tree: drmtest.Tree{}.Add(other(card(0, "0x2504", "nouveau"), "0x10de")).Add(other(card(1, "0x1681", "amdgpu"), "0x1002")),
			file: `resources: [{name: "example.com/{driver}", drm: {}}]`,
			want: "example.com/amdgpu x1: card1+renderD129\nexample.com/nouveau x1: card0+renderD128",
		},
		"WSL2": {tree: drmtest.Tree{}.Node("dev/dxg", 0), args: []string{"-wsl"}, want: "gpu.intel.com/dxg x1: /dev/dxg"},
		"GPUs and other devices side by side": {
			tree: drmtest.Tree{}.Add(igpu).Node("dev/apex_0", 0),
			file: `resources: [{name: a.b/gpu, drm: {}}, {name: a.b/coral, devices: [{members: [{path: /dev/apex_*}]}]}]`,
			want: "a.b/coral x1: /dev/apex_0\na.b/gpu x1: card0+renderD128",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := discover.Scan(test.tree.FS(), settings(t, test.file, test.args...))
			if got.Err != nil {
				t.Fatal(got.Err)
			}
			if diff := cmp.Diff(test.want, describe(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A name that the kubelet would refuse makes an error here, and leaves the other resources alone.
func TestADriverWhoseNameIsNoneOfAResourceIsAnError(t *testing.T) {
	tree := drmtest.Tree{}.Add(card(0, "0x4680", "i915")).Add(card(1, "0x4681", "-odd-"))
	got := discover.Scan(tree.FS(), settings(t, `resources: [{name: "a.b/{driver}", drm: {}}]`))
	if describe(got) != "a.b/i915 x1: card0+renderD128" || got.Err == nil || !strings.Contains(got.Err.Error(), `resource "a.b/-odd-"`) {
		t.Errorf("got %s, %v", describe(got), got.Err)
	}
}

func TestWhatIsLookedForIsSaid(t *testing.T) {
	got := discover.LookedFor(settings(t, `resources:
- {name: a.b/gpu, drm: {}}
- {name: a.b/x, devices: [{members: [{path: /dev/apex_*}, {path: /opt, type: Mount}]}, {members: [{usb: {vendor: "10c4", serial: "1"}}]}]}`))
	want := []string{"a.b/gpu: any GPU", "a.b/x: /dev/apex_*; or USB device 10c4 serial 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
