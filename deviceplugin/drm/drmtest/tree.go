package drmtest

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing/fstest"
)

// Card describes a GPU to make up.
type Card struct {
	Address  string   // 0000:00:02.0
	Vendor   string   // 0x8086; "" leaves the file out
	Device   string   // 0x56a0
	Driver   string   // i915; "" for none
	Nodes    []string // card0, renderD128, controlD64: what the kernel says there is
	Absent   []string // those of Nodes that are not in dev/dri
	NUMA     string
	VFs      string // sriov_numvfs
	Function bool   // a virtual function
	GID      uint32 // of the render node
}

// Tree is a made-up machine.
type Tree fstest.MapFS

// Add gives the machine a card.
func (t Tree) Add(c Card) Tree {
	dir := path.Join("sys/devices/pci0000:00", c.Address)
	for name, text := range map[string]string{"vendor": c.Vendor, "device": c.Device, "numa_node": c.NUMA, "sriov_numvfs": c.VFs} {
		if text != "" {
			t[path.Join(dir, name)] = &fstest.MapFile{Data: []byte(text + "\n")}
		}
	}
	if c.Driver != "" {
		t.link(path.Join(dir, "driver"), path.Join("../../../bus/pci/drivers", c.Driver))
		t[path.Join("sys/bus/pci/drivers", c.Driver, "bind")] = &fstest.MapFile{}
	}
	if c.Function {
		t.link(path.Join(dir, "physfn"), "../0000:00:02.0")
	}
	for _, node := range c.Nodes {
		t.link(path.Join("sys/class/drm", node), path.Join("../../devices/pci0000:00", c.Address, "drm", node))
		t.link(path.Join(dir, "drm", node, "device"), "../..")
		t.Node("dev/dri/"+node, c.GID)
	}
	for _, node := range c.Absent {
		delete(t, "dev/dri/"+node)
	}
	return t
}

// Node adds a character device.
func (t Tree) Node(name string, gid uint32) Tree {
	t[name] = &fstest.MapFile{Mode: fs.ModeDevice | fs.ModeCharDevice | 0o660, Sys: &syscall.Stat_t{Gid: gid}}
	return t
}

// Link adds a symbolic link.
func (t Tree) Link(name, target string) Tree {
	t.link(name, target)
	return t
}

func (t Tree) link(name, target string) {
	t[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
}

// FS is the machine's file system, whose root stands for "/".
func (t Tree) FS() fs.FS { return fstest.MapFS(t) }

// Write puts the machine on disk. A device becomes a link to /dev/null, which anyone may make.
func (t Tree) Write(dir string) error {
	for name, file := range t {
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("writing the tree: %w", err)
		}
		if err := writeFile(to, file); err != nil {
			return fmt.Errorf("writing the tree: %w", err)
		}
	}
	return nil
}

func writeFile(to string, file *fstest.MapFile) error {
	switch {
	case file.Mode&fs.ModeSymlink != 0:
		return os.Symlink(strings.TrimSpace(string(file.Data)), to)
	case file.Mode&fs.ModeDevice != 0:
		return os.Symlink(os.DevNull, to)
	}
	return os.WriteFile(to, file.Data, 0o644)
}
