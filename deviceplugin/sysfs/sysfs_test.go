package sysfs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/berth-dev/berth/deviceplugin/sysfs"
)

func TestAttributesLinksAndFolders(t *testing.T) {
	fsys := fstest.MapFS{
		"sys/a/vendor": {Data: []byte(" 0x8086\n")},
		"sys/a/large":  {Data: []byte(strings.Repeat("x", 1<<20))},
		"sys/a/driver": {Data: []byte("../../i915"), Mode: fs.ModeSymlink},
		"sys/a/loop":   {Data: []byte("loop"), Mode: fs.ModeSymlink},
	}
	if text, err := sysfs.Attribute(fsys, "sys/a/vendor"); text != "0x8086" || err != nil {
		t.Errorf("vendor is %q, %v", text, err)
	}
	if text, err := sysfs.Attribute(fsys, "sys/a/none"); text != "" || err != nil {
		t.Errorf("an attribute that is not there is %q, %v", text, err)
	}
	if text, err := sysfs.Attribute(fsys, "sys/a/large"); len(text) != 4096 || err != nil {
		t.Errorf("a page has %d bytes, %v", len(text), err)
	}
	if target, err := sysfs.Link(fsys, "sys/a/driver"); target != "../../i915" || err != nil {
		t.Errorf("the driver is %q, %v", target, err)
	}
	for _, name := range []string{"sys/a/none", "sys/a/vendor"} {
		if target, err := sysfs.Link(fsys, name); target != "" || err != nil {
			t.Errorf("%s is a link to %q, %v", name, target, err)
		}
	}
	if names, err := sysfs.List(fsys, "sys/b"); names != nil || err != nil {
		t.Errorf("a folder that is not there has %v, %v", names, err)
	}
	if names, err := sysfs.List(fsys, "sys/a/vendor"); err == nil && names != nil {
		t.Errorf("a file has the entries %v", names)
	}
}

func TestTheRealFileSystemAnswersInTheSameWay(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	fsys := os.DirFS(dir)
	if target, err := sysfs.Link(fsys, "file"); target != "" || err != nil {
		t.Errorf("a file is a link to %q, %v", target, err)
	}
	if names, err := sysfs.List(fsys, "file"); names != nil || err != nil {
		t.Errorf("a file has the entries %v, %v", names, err)
	}
	if text, err := sysfs.Attribute(fsys, "file/below"); text != "" || err != nil {
		t.Errorf("below a file there is %q, %v", text, err)
	}
	if _, err := sysfs.Attribute(fsys, "loop"); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a link to itself: %v", err)
	}
	if _, is, err := sysfs.Node(fsys, "file"); is || err != nil {
		t.Errorf("a file is a device: %v, %v", is, err)
	}
	if _, is, err := sysfs.Node(os.DirFS("/"), "dev/null"); !is || err != nil {
		t.Errorf("/dev/null is a device: %v, %v", is, err)
	}
}

func TestNonsenseIsNoNUMANode(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "3\n": 3, "-1": -1, "": -1, "x": -1, "99999999999999999999": -1} {
		got, err := sysfs.NUMA(fstest.MapFS{"d/numa_node": {Data: []byte(text)}}, "d")
		if err != nil || (got == nil) != (want < 0) || got != nil && *got != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}
