package generic_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/drm/drmtest"
	"github.com/berth-dev/berth/deviceplugin/generic"
)

func members(all ...generic.Member) []generic.Group { return []generic.Group{{Members: all}} }

func path(p string) generic.Member { return generic.Member{Path: p} }

// describe writes devices as a person would: identity, nodes and mounts.
func describe(devices []device.Device) []string {
	all := make([]string, 0, len(devices))
	for _, d := range devices {
		text := d.Identity + ":"
		for _, n := range d.Grant.Nodes {
			text += " " + n.HostPath
			if n.ContainerPath != n.HostPath {
				text += ">" + n.ContainerPath
			}
			if n.Permissions != "rw" {
				text += "(" + n.Permissions + ")"
			}
		}
		for _, m := range d.Grant.Mounts {
			text += " mount " + m.HostPath
			if m.ContainerPath != m.HostPath {
				text += ">" + m.ContainerPath
			}
			if m.ReadOnly {
				text += "(ro)"
			}
		}
		all = append(all, text)
	}
	return all
}

func nodes(names ...string) drmtest.Tree {
	tree := drmtest.Tree{}
	for _, n := range names {
		tree.Node(n, 0)
	}
	return tree
}

// stick plugs a USB device in.
func stick(tree drmtest.Tree, port, vendor, product, serial, bus, number, tty string) drmtest.Tree {
	dir := "sys/bus/usb/devices/" + port
	for name, text := range map[string]string{"idVendor": vendor, "idProduct": product, "serial": serial, "busnum": bus, "devnum": number} {
		if text != "" {
			tree.Add(drmtest.Card{Address: "tmp", Vendor: text})
			tree[dir+"/"+name] = tree["sys/devices/pci0000:00/tmp/vendor"]
			delete(tree, "sys/devices/pci0000:00/tmp/vendor")
		}
	}
	tree.Node("dev/bus/usb/00"+bus+"/00"+number, 0)
	switch {
	case strings.HasPrefix(tty, "ttyACM"):
		tree.Link(dir+":1.0/tty/"+tty, "x").Node("dev/"+tty, 0)
	case tty != "":
		tree.Link(dir+":1.0/"+tty, "x").Node("dev/"+tty, 0)
	}
	return tree
}

func TestDevices(t *testing.T) {
	zigbee := stick(stick(drmtest.Tree{}, "1-2", "10c4", "ea60", "0001", "1", "5", "ttyUSB0"), "1-3", "1cf1", "0030", "", "1", "6", "ttyACM0")
	tests := map[string]struct {
		tree   drmtest.Tree
		groups []generic.Group
		want   []string
	}{
		"a pattern makes a device of each match, counted as a person counts": {
			nodes("dev/apex_0", "dev/apex_10", "dev/apex_2"), members(path("/dev/apex_*")),
			[]string{"apex_0: /dev/apex_0", "apex_10: /dev/apex_10", "apex_2: /dev/apex_2"},
		},
		"patterns may stand for folders": {
			nodes("dev/accel/accel0", "dev/other/accel1"), members(path("/dev/*/accel*")),
			[]string{"accel/accel0: /dev/accel/accel0", "other/accel1: /dev/other/accel1"},
		},
		"a single file that is there is one device": {nodes("dev/kvm"), members(path("/dev/kvm")), []string{"kvm: /dev/kvm"}},
		"a single file that is not is none":         {nodes("dev/kvm"), members(path("/dev/tpm0")), []string{}},
		"a file that is no device is none":          {drmtest.Tree{"dev/kvm": {Data: []byte("x")}}, members(path("/dev/kvm")), []string{}},
		"several nodes make one device": {
			nodes("dev/kvm", "dev/net/tun"), members(path("/dev/kvm"), path("/dev/net/tun")), []string{"kvm+/dev/net/tun: /dev/kvm /dev/net/tun"},
		},
		"patterns pair up to the shortest list": {
			nodes("dev/video0", "dev/video1", "dev/video2", "dev/media0", "dev/media1"), members(path("/dev/video*"), path("/dev/media*")),
			[]string{"video0+/dev/media0: /dev/video0 /dev/media0", "video1+/dev/media1: /dev/video1 /dev/media1"},
		},
		"pairs are made in the order of numbers": {
			nodes("dev/v2", "dev/v10", "dev/m0", "dev/m1"), members(path("/dev/v*"), path("/dev/m*")),
			[]string{"v10+/dev/m1: /dev/v10 /dev/m1", "v2+/dev/m0: /dev/v2 /dev/m0"},
		},
		"a single file is part of every device": {
			nodes("dev/kfd", "dev/dri/renderD128", "dev/dri/renderD129"), members(path("/dev/kfd"), path("/dev/dri/renderD*")),
			[]string{"kfd+/dev/dri/renderD128: /dev/kfd /dev/dri/renderD128", "kfd+/dev/dri/renderD129: /dev/kfd /dev/dri/renderD129"},
		},
		"an optional member that is not there is left out": {
			nodes("dev/kvm"), members(path("/dev/kvm"), generic.Member{Path: "/dev/vhost-net", Optional: true}), []string{"kvm: /dev/kvm"},
		},
		"an optional member that is there does not change which device it is": {
			nodes("dev/kvm", "dev/vhost-net"), members(path("/dev/kvm"), generic.Member{Path: "/dev/vhost-net", Optional: true}),
			[]string{"kvm: /dev/kvm /dev/vhost-net"},
		},
		"permissions and another path inside": {
			nodes("dev/ttyUSB0"), members(generic.Member{Path: "/dev/ttyUSB0", MountPath: "/dev/zigbee", Permissions: "rwm"}),
			[]string{"ttyUSB0: /dev/ttyUSB0>/dev/zigbee(rwm)"},
		},
		"another folder inside": {
			nodes("dev/snd/pcm0"), members(generic.Member{Path: "/dev/snd/pcm*", MountPath: "/dev/audio/"}),
			[]string{"snd/pcm0: /dev/snd/pcm0>/dev/audio/pcm0"},
		},
		"a mount is handed out without a look": {
			nodes("dev/dxg"), members(path("/dev/dxg"), generic.Member{Path: "/usr/lib/wsl", Type: generic.KindMount, ReadOnly: true}),
			[]string{"dxg: /dev/dxg mount /usr/lib/wsl(ro)"},
		},
		"an optional mount is looked for": {
			nodes("dev/dxg"), members(path("/dev/dxg"), generic.Member{Path: "/usr/lib/wsl", Type: generic.KindMount, Optional: true}),
			[]string{"dxg: /dev/dxg"},
		},
		"a link is handed out under its own name": {
			nodes("dev/ttyUSB3").Link("dev/serial/by-id/usb-Sonoff", "../../ttyUSB3"), members(path("/dev/serial/by-id/usb-*")),
			[]string{"serial/by-id/usb-Sonoff: /dev/serial/by-id/usb-Sonoff"},
		},
		"a link that leads nowhere is none": {
			drmtest.Tree{}.Link("dev/serial/by-id/usb-Sonoff", "../../ttyUSB3"), members(path("/dev/serial/by-id/usb-*")), []string{},
		},
		"a USB device by vendor and product": {
			zigbee, members(generic.Member{USB: &generic.USB{Vendor: "10c4", Product: "ea60"}}), []string{"usb-10c4-ea60-0001: /dev/bus/usb/001/005"},
		},
		"a USB device by its serial number": {
			zigbee, members(generic.Member{USB: &generic.USB{Vendor: "10c4", Serial: "0002"}}), []string{},
		},
		"the serial port of a converter": {
			zigbee, members(generic.Member{USB: &generic.USB{Vendor: "10c4", Node: "tty"}}), []string{"usb-10c4-ea60-0001: /dev/ttyUSB0"},
		},
		"the serial port of an ACM device, known by where it is plugged in": {
			zigbee, members(generic.Member{USB: &generic.USB{Vendor: "1cf1", Node: "tty"}}), []string{"usb-1cf1-0030-port-1-3: /dev/ttyACM0"},
		},
		"a device that two groups describe is counted once": {
			nodes("dev/kvm"), append(members(path("/dev/kvm")), members(path("/dev/k*"))...), []string{"kvm: /dev/kvm"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, g := range test.groups {
				if err := g.Validate(); err != nil {
					t.Fatal(err)
				}
			}
			got, err := generic.Devices(test.tree.FS(), test.groups)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, describe(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheNUMANodeIsFoundByTheDevicesNumber(t *testing.T) {
	tree := nodes("dev/accel/accel0")
	tree["dev/accel/accel0"].Sys = &syscall.Stat_t{Rdev: unix.Mkdev(261, 0)}
	tree.Add(drmtest.Card{Address: "x", NUMA: "1"})
	tree["sys/dev/char/261:0/device/numa_node"] = tree["sys/devices/pci0000:00/x/numa_node"]
	got, err := generic.Devices(tree.FS(), members(path("/dev/accel/*")))
	if err != nil || len(got) != 1 || got[0].NUMA == nil || *got[0].NUMA != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestGroupsThatMakeNoSenseAreRefused(t *testing.T) {
	usb := func(u generic.USB) generic.Member { return generic.Member{USB: &u} }
	tests := map[string]generic.Member{
		"set either path or usb":                    {},
		"path: \"dev/x\" is not an absolute":        path("dev/x"),
		"path: \"/dev/../x\" is not an absolute":    path("/dev/../x"),
		"path: \"/dev/[\" is not a pattern":         path("/dev/["),
		"type: \"Volume\": use Device or Mount":     {Path: "/dev/x", Type: "Volume"},
		"permissions: \"wr\": use r, w and m":       {Path: "/dev/x", Permissions: "wr"},
		"readOnly: only a Mount can be":             {Path: "/dev/x", ReadOnly: true},
		"permissions: a Mount has none":             {Path: "/x", Type: generic.KindMount, Permissions: "r"},
		"mountPath: a GPU's node keeps its name":    {Path: "/dev/dri/renderD129", MountPath: "/dev/dri/renderD128"},
		"mountPath: \"/dev/*\" cannot be a pattern": {Path: "/dev/x", MountPath: "/dev/*"},
		"mountPath: \"x\" is not an absolute":       {Path: "/dev/x", MountPath: "x"},
		"usb: vendor: \"10C4\"":                     usb(generic.USB{Vendor: "10C4"}),
		"usb: product: \"60\"":                      usb(generic.USB{Vendor: "10c4", Product: "60"}),
		"usb: node: \"hid\": use usb or tty":        usb(generic.USB{Vendor: "10c4", Node: "hid"}),
		"at least one must be a device":             {Path: "/dev/x", Optional: true},
	}
	for want, m := range tests {
		err := generic.Group{Members: []generic.Member{m}}.Validate()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := (generic.Group{}).Validate(); err == nil {
		t.Error("a group without members is taken")
	}
}

func FuzzDevices(f *testing.F) {
	f.Add("/dev/apex_*", "/dev/x", "10c4", "1", "5")
	f.Add("/dev/[a-", "/", "", "-1", "99999999999")
	f.Fuzz(func(t *testing.T, pattern, mountPath, vendor, bus, number string) {
		g := generic.Group{Members: []generic.Member{{Path: pattern, MountPath: mountPath}, {USB: &generic.USB{Vendor: vendor}, Optional: true}}}
		if g.Validate() != nil {
			t.Skip()
		}
		tree := stick(nodes("dev/apex_0", "dev/apex_1", "dev/x/y"), "1-2", vendor, "ea60", "s", "1", "5", "ttyUSB0")
		tree["sys/bus/usb/devices/1-2/busnum"].Data = []byte(bus)
		tree["sys/bus/usb/devices/1-2/devnum"].Data = []byte(number)
		devices, err := generic.Devices(tree.FS(), []generic.Group{g})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range devices {
			if len(d.Grant.Nodes) == 0 || !strings.HasPrefix(d.Grant.Nodes[0].HostPath, "/") {
				t.Errorf("got %+v", d)
			}
		}
	})
}
