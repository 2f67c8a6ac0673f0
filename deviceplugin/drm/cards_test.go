package drm_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/deviceplugin/drm"
	"github.com/berth-dev/berth/deviceplugin/drm/drmtest"
)

// igpu and dgpu are two common Intel cards.
var (
	igpu = drmtest.Card{Address: "0000:00:02.0", Vendor: "0x8086", Device: "0x4680", Driver: "i915", NUMA: "-1", Nodes: []string{"card0", "renderD128", "controlD64"}}
	dgpu = drmtest.Card{Address: "0000:03:00.0", Vendor: "0x8086", Device: "0x56a0", Driver: "xe", NUMA: "1", Nodes: []string{"card1", "renderD129"}}
)

func with(c drmtest.Card, change func(*drmtest.Card)) drmtest.Card {
	change(&c)
	return c
}

func one() *int64 { n := int64(1); return &n }

func TestCards(t *testing.T) {
	wantIGPU := drm.Card{Address: "0000:00:02.0", VendorID: "0x8086", DeviceID: "0x4680", Driver: "i915", Nodes: []string{"card0", "renderD128"}}
	wantDGPU := drm.Card{Address: "0000:03:00.0", VendorID: "0x8086", DeviceID: "0x56a0", Driver: "xe", Nodes: []string{"card1", "renderD129"}, NUMA: one()}
	changed := func(c drm.Card, change func(*drm.Card)) drm.Card { change(&c); return c }
	tests := map[string]struct {
		tree drmtest.Tree
		want []drm.Card
	}{
		"no sysfs is a node without cards":             {drmtest.Tree{}, nil},
		"a class with a version file only has no card": {drmtest.Tree{"sys/class/drm/version": {Data: []byte("drm 1.1.0")}}, nil},
		"control nodes are never among the nodes":      {drmtest.Tree{}.Add(igpu), []drm.Card{wantIGPU}},
		"cards come in the order of their addresses":   {drmtest.Tree{}.Add(dgpu).Add(igpu), []drm.Card{wantIGPU, wantDGPU}},
		"connectors are not cards": {
			drmtest.Tree{}.Add(igpu).Link("sys/class/drm/card0-HDMI-A-1", "../../devices/pci0000:00/0000:00:02.0/drm/card0/card0-HDMI-A-1"),
			[]drm.Card{wantIGPU},
		},
		"a card without nodes in dev/dri is none": {
			drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.Absent = []string{"card0", "renderD128"} })).Add(dgpu),
			[]drm.Card{wantDGPU},
		},
		"a node that is not there is left out, as in a container that was given only the render node": {
			drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.Absent = []string{"card0"} })),
			[]drm.Card{changed(wantIGPU, func(c *drm.Card) { c.Nodes = []string{"renderD128"} })},
		},
		"a regular file in dev/dri is not a node": {
			func() drmtest.Tree {
				tree := drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.Absent = []string{"card0"} }))
				tree["dev/dri/card0"] = tree["sys/devices/pci0000:00/0000:00:02.0/vendor"]
				return tree
			}(),
			[]drm.Card{changed(wantIGPU, func(c *drm.Card) { c.Nodes = []string{"renderD128"} })},
		},
		"a device with a render node only is a card": {
			drmtest.Tree{}.Add(with(dgpu, func(c *drmtest.Card) { c.Nodes = []string{"renderD129"} })),
			[]drm.Card{changed(wantDGPU, func(c *drm.Card) { c.Nodes = []string{"renderD129"} })},
		},
		"a card of any vendor is found": {
			drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.Vendor, c.Driver = "0x1002", "amdgpu" })),
			[]drm.Card{changed(wantIGPU, func(c *drm.Card) { c.VendorID, c.Driver = "0x1002", "amdgpu" })},
		},
		"a platform device has no PCI ids": {
			drmtest.Tree{}.Add(drmtest.Card{Address: "fec00000.gpu", Driver: "panthor", Nodes: []string{"card1", "renderD128"}}),
			[]drm.Card{{Address: "fec00000.gpu", Driver: "panthor", Nodes: []string{"card1", "renderD128"}}},
		},
		"an id that is none is left empty": {
			drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.Vendor, c.Device = "Intel", "0x46800" })),
			[]drm.Card{changed(wantIGPU, func(c *drm.Card) { c.VendorID, c.DeviceID = "", "" })},
		},
		"a card without a driver has none": {
			drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.Driver = "" })),
			[]drm.Card{changed(wantIGPU, func(c *drm.Card) { c.Driver = "" })},
		},
		"virtual functions are counted, and known for what they are": {
			drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.VFs = "1" })).Add(with(dgpu, func(c *drmtest.Card) { c.Function = true })),
			[]drm.Card{
				changed(wantIGPU, func(c *drm.Card) { c.VFs = 1 }),
				changed(wantDGPU, func(c *drm.Card) { c.Virtual = true }),
			},
		},
		"-1 virtual functions are none": {
			drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.VFs = "-1" })), []drm.Card{wantIGPU},
		},
		"nonsense for numbers is no answer": {
			drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.VFs, c.NUMA = "many", "0x" })), []drm.Card{wantIGPU},
		},
		"management engines of a card are found": {
			drmtest.Tree{}.Add(dgpu).Node("dev/mei1", 0).Link("sys/devices/pci0000:00/0000:03:00.0/xe.mei-gscfi.768/mei/mei1", "x"),
			[]drm.Card{changed(wantDGPU, func(c *drm.Card) { c.MEI = []string{"mei1"} })},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := drm.Cards(test.tree.FS())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestByPathLinksCountOnlyWhenTheyLeadToANodeOfTheCard(t *testing.T) {
	const dir = "dev/dri/by-path/"
	tree := drmtest.Tree{}.Add(igpu).Add(dgpu).
		Link(dir+"pci-0000:00:02.0-card", "../card0").
		Link(dir+"pci-0000:00:02.0-render", "/dev/dri/renderD128").
		Link(dir+"pci-0000:03:00.0-render", "../renderD129").
		// begins with the address of the first card and leads to another: intel-device-plugins-for-kubernetes#2296
		Link(dir+"pci-0000:00:02.0-platform-simple-framebuffer.0-card", "../card7").
		Link(dir+"pci-0000:00:02.0-render-swapped", "../renderD128").
		Link(dir+"pci-0000:03:00.0-card", "../card0").
		Link(dir+"platform-gpu-card", "../card0")
	cards, err := drm.Cards(tree.FS())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"pci-0000:00:02.0-card", "pci-0000:00:02.0-render"}, cards[0].ByPath); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"pci-0000:03:00.0-render"}, cards[1].ByPath); diff != "" {
		t.Error(diff)
	}
}

// failing is a file system in which one file cannot be read.
type failing struct {
	fs.FS
	name string
	err  error
}

func (f failing) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
	}
	return f.FS.Open(name)
}

func (f failing) ReadLink(name string) (string, error)   { return fs.ReadLink(f.FS, name) }
func (f failing) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(f.FS, name) }

func TestAReadErrorIsNotAnAbsence(t *testing.T) {
	tree := drmtest.Tree{}.Add(igpu).Add(dgpu).FS()
	tests := map[string]struct {
		file  string
		err   error
		cards int
		fails bool
	}{
		"the class cannot be listed":                       {"sys/class/drm", syscall.EIO, 0, true},
		"one of a card's two entries cannot be listed":     {"sys/class/drm/card0/device/drm", syscall.EACCES, 2, true},
		"an attribute cannot be read":                      {"sys/class/drm/card1/device/vendor", syscall.EIO, 1, true},
		"an entry that is being removed is just not there": {"sys/class/drm/card0/device/drm", syscall.ENODEV, 2, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			cards, err := drm.Cards(failing{tree, test.file, test.err})
			if len(cards) != test.cards || (err != nil) != test.fails || test.fails && !errors.Is(err, test.err) {
				t.Errorf("got %d cards and %v", len(cards), err)
			}
		})
	}
}

func TestDisplaysSayWhatAGPUIsBoundTo(t *testing.T) {
	const pci = "sys/bus/pci/devices/"
	tree := drmtest.Tree{}
	for name, text := range map[string]string{
		"0000:03:00.0/class": "0x030000", "0000:03:00.0/vendor": "0x8086", "0000:03:00.0/device": "0x56a0",
		"0000:00:1f.0/class": "0x060100",
		"0000:04:00.0/class": "0x038000", "0000:04:00.0/vendor": "0x10de", "0000:04:00.0/device": "0x2504",
	} {
		tree.Add(drmtest.Card{Address: "x", Vendor: text})
		tree[pci+name] = tree["sys/devices/pci0000:00/x/vendor"]
	}
	tree.Link(pci+"0000:03:00.0/driver", "../../../bus/pci/drivers/vfio-pci")
	want := "0000:03:00.0 vendor 0x8086 device 0x56a0 driver vfio-pci|0000:04:00.0 vendor 0x10de device 0x2504 driver none"
	if got := strings.Join(drm.Displays(tree.FS()), "|"); got != want {
		t.Errorf("got %s", got)
	}
}

func TestTheGroupOfARenderNodeIsKnown(t *testing.T) {
	tree := drmtest.Tree{}.Add(with(igpu, func(c *drmtest.Card) { c.GID = 993 }))
	if gid, ok := drm.RenderGroup(tree.FS(), "/dev/dri/renderD128"); !ok || gid != 993 {
		t.Errorf("got %d, %v", gid, ok)
	}
	for _, other := range []string{"/dev/dri/card0", "/dev/dri/renderD200"} {
		if _, ok := drm.RenderGroup(tree.FS(), other); ok {
			t.Errorf("%s has a render group", other)
		}
	}
}

func FuzzCards(f *testing.F) {
	f.Add("0x8086", "0x4680", "-1", "7", "card0", "../../devices/pci0000:00/0000:00:02.0/drm/card0", "../card0")
	f.Add("0x8086", "0x4680", "-1", "7", "card0", "card0", "pci-0000:00:02.0-card")
	f.Add("", "\x00", "99999999999999999999", "-9", "renderD", "..", "/")
	f.Fuzz(func(t *testing.T, vendor, device, numa, vfs, node, class, byPath string) {
		if !fs.ValidPath(node) || node == "." || strings.Contains(node, "/") {
			t.Skip()
		}
		tree := drmtest.Tree{}.Add(drmtest.Card{
			Address: "0000:00:02.0", Vendor: vendor, Device: device, NUMA: numa, VFs: vfs, Driver: "i915", Nodes: []string{node, "renderD128"},
		}).Link("sys/class/drm/"+node, class).Link("dev/dri/by-path/pci-0000:00:02.0-card", byPath)
		dir := t.TempDir() // the file system in memory does not survive a link to itself
		if tree.Write(dir) != nil {
			t.Skip()
		}
		cards, _ := drm.Cards(os.DirFS(dir))
		for _, c := range cards {
			for _, n := range c.Nodes {
				if !strings.HasPrefix(n, "card") && !strings.HasPrefix(n, "renderD") || strings.Contains(n, "/") {
					t.Errorf("node %q", n)
				}
			}
			_ = c.Device(drm.Options{ByPath: drm.ByPathSingle, Env: drm.RenderNodeEnv})
		}
	})
}
