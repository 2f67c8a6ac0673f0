package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// GPU is a card that a node seems to have: its sysfs tree is made up, and its nodes in /dev/dri stand for another device of this machine.
type GPU struct {
	Address string // 0000:00:02.0
	Driver  string // i915
	Card    int    // card0
	Render  int    // renderD128
}

// Nodes are the names in /dev/dri.
func (g GPU) Nodes() []string {
	return []string{fmt.Sprintf("card%d", g.Card), fmt.Sprintf("renderD%d", g.Render)}
}

// standIns are devices that most machines have, that open for reading and writing without doing anything, and that the runtime does not
// let every container open: those would prove nothing.
var standIns = []string{"/dev/fuse", "/dev/loop-control", "/dev/kvm", "/dev/hwrng", "/dev/net/tun"}

func standIn() (uint64, error) {
	for _, name := range standIns {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		_ = f.Close()
		var stat unix.Stat_t
		if err := unix.Stat(name, &stat); err == nil {
			return stat.Rdev, nil
		}
	}
	return 0, fmt.Errorf("none of %v can be opened here to stand for a GPU", standIns)
}

// Tree is the folder that the plugin takes for / when it looks for devices.
func (n *Node) Tree() string { return filepath.Join(n.Dir, "tree") }

// AddGPU gives the node a card.
func (n *Node) AddGPU(t *testing.T, g GPU) {
	t.Helper()
	number, err := standIn()
	if err != nil {
		t.Skipf("SKIPPED: no device to hand out: %v", err)
	}
	device := filepath.Join(n.Tree(), "sys/devices/pci0000:00", g.Address)
	for name, text := range map[string]string{"vendor": "0x8086\n", "device": "0x4680\n", "numa_node": "-1\n"} {
		write(t, filepath.Join(device, name), text)
	}
	link(t, "../../../bus/pci/drivers/"+g.Driver, filepath.Join(device, "driver"))
	link(t, "/dev/dri", filepath.Join(n.Tree(), "dev/dri"))
	for _, name := range g.Nodes() {
		link(t, "../..", filepath.Join(device, "drm", name, "device"))
		link(t, filepath.Join("../../devices/pci0000:00", g.Address, "drm", name), filepath.Join(n.Tree(), "sys/class/drm", name))
		if err := unix.Mknod(n.Path("/dev/dri/"+name), unix.S_IFCHR|0o660, int(number)); err != nil {
			t.Skipf("SKIPPED: device nodes cannot be made here: %v", err)
		}
	}
}

// ShowSysfs lays the cards over the node's /sys, so that they are there for a pod that mounts it, as they are on a node that has some.
func (n *Node) ShowSysfs(t *testing.T) {
	t.Helper()
	for _, folder := range []string{"/sys/class", "/sys/devices"} {
		argv := n.ns.enter("mount", "-t", "overlay", "overlay", "-o", "lowerdir="+n.Tree()+folder+":"+folder, folder)
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: no card can be laid over %s here: %v: %s", folder, err, out)
		}
	}
}

// HideNode takes a node of a card out of /dev/dri; its folder in sysfs stays. ShowNode brings it back.
func (n *Node) HideNode(t *testing.T, name string) (show func()) {
	t.Helper()
	file, aside := n.Path("/dev/dri/"+name), n.Path("/dev/dri/aside")
	if err := os.Rename(file, aside); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.Rename(aside, file); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, name); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
}
