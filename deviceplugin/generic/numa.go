package generic

import (
	"fmt"
	"io/fs"
	"path"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/deviceplugin/sysfs"
)

// numaOf asks the kernel for the NUMA node of the device that a node stands for, by the node's major and minor number.
func numaOf(fsys fs.FS, info fs.FileInfo) (*int64, error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil, nil
	}
	kind := "block"
	if info.Mode()&fs.ModeCharDevice != 0 {
		kind = "char"
	}
	rdev := uint64(stat.Rdev) //nolint:unconvert // 32 bits wide on some platforms
	number := fmt.Sprintf("%d:%d", unix.Major(rdev), unix.Minor(rdev))
	return sysfs.NUMA(fsys, path.Join("sys/dev", kind, number, "device"))
}
