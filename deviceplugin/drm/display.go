package drm

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"github.com/berth-dev/berth/deviceplugin/sysfs"
)

// Displays describes every display controller on the PCI bus with the driver it is bound to, whether or not that is one that makes DRM
// nodes. A node without GPUs is most often one whose GPU has no driver, or has been given to a virtual machine.
func Displays(fsys fs.FS) []string {
	const dir = "sys/bus/pci/devices"
	names, _ := sysfs.List(fsys, dir) // for a log line only
	var all []string
	for _, name := range names {
		r := reader{fsys: fsys, dir: path.Join(dir, name)}
		if !strings.HasPrefix(r.attribute("class"), "0x03") {
			continue
		}
		driver := path.Base(r.link("driver"))
		if driver == "." {
			driver = "none"
		}
		all = append(all, fmt.Sprintf("%s vendor %s device %s driver %s", name, r.id("vendor"), r.id("device"), driver))
	}
	return all
}

// String describes the card in the same words.
func (c Card) String() string {
	driver := c.Driver
	if driver == "" {
		driver = "none"
	}
	text := fmt.Sprintf("%s vendor %s device %s driver %s", c.identity(), c.VendorID, c.DeviceID, driver)
	if c.VFs > 0 {
		text += fmt.Sprintf(", left out for its %d virtual functions", c.VFs)
	}
	return text
}

// RenderGroup gives the numeric group of a render node. A pod that does not run as root needs it in supplementalGroups; its number
// differs from distribution to distribution.
func RenderGroup(fsys fs.FS, hostPath string) (gid uint32, ok bool) {
	if !renderName.MatchString(path.Base(hostPath)) {
		return 0, false
	}
	info, ok, err := sysfs.Node(fsys, strings.TrimPrefix(hostPath, "/"))
	if err != nil || !ok {
		return 0, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return stat.Gid, true
}
