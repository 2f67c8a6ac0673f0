package sysfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// maxAttribute is one page, which is the most that the kernel gives for an attribute.
const maxAttribute = 4096

// Missing reports whether err says that there is no such file. A device that is being removed answers ENODEV or ENXIO for a moment.
func Missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.ENXIO)
}

// Attribute reads an attribute without the white space around it; "" where there is none.
func Attribute(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if Missing(err) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading an attribute: %w", err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	text, err := io.ReadAll(io.LimitReader(f, maxAttribute))
	if Missing(err) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading an attribute: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// Link gives the target of a symbolic link as it is written; "" where there is no link.
func Link(fsys fs.FS, name string) (string, error) {
	target, err := fs.ReadLink(fsys, name)
	if Missing(err) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.EINVAL) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading a link: %w", err)
	}
	return target, nil
}

// List gives the names in a folder, sorted; none where there is no such folder.
func List(fsys fs.FS, name string) ([]string, error) {
	entries, err := fs.ReadDir(fsys, name)
	if Missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing a folder: %w", err)
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

// NUMA reads a device's numa_node. The kernel says -1 where it does not know, and so does nil.
func NUMA(fsys fs.FS, device string) (*int64, error) {
	text, err := Attribute(fsys, path.Join(device, "numa_node"))
	if err != nil {
		return nil, err
	}
	node, err := strconv.ParseInt(text, 10, 32)
	if err != nil || node < 0 {
		return nil, nil //nolint:nilerr // nonsense is no answer, and no topology is always a safe one
	}
	return &node, nil
}

// Node looks at a file in dev/ and reports whether it is a device. name is below the root: "dev/dri/card0".
func Node(fsys fs.FS, name string) (fs.FileInfo, bool, error) {
	info, err := fs.Stat(fsys, name)
	if Missing(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("looking for a device node: %w", err)
	}
	return info, info.Mode()&fs.ModeDevice != 0, nil
}
