package generic

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/sysfs"
)

// match is one thing that a member stands for.
type match struct {
	path     string // on the host
	identity string
	numa     *int64
}

// matches gives what the member stands for now, in order.
func (m Member) matches(fsys fs.FS) ([]match, error) {
	if m.USB != nil {
		return m.USB.matches(fsys)
	}
	if m.taken() {
		return []match{{path: m.Path, identity: m.Path}}, nil
	}
	names, err := glob(fsys, strings.TrimPrefix(m.Path, "/"))
	if err != nil {
		return nil, err
	}
	var found []match
	for _, name := range names {
		hit, err := m.look(fsys, name)
		if err != nil {
			return nil, err
		}
		if hit != nil {
			found = append(found, *hit)
		}
	}
	return found, nil
}

// taken reports whether the member is handed out as it is, without a look.
func (m Member) taken() bool { return m.Type == KindMount && !m.Optional && !m.pattern() }

func (m Member) pattern() bool { return m.USB != nil || strings.ContainsAny(m.Path, `*?[\`) }

// look gives the file as a match, or nil where it is not there or not a device.
func (m Member) look(fsys fs.FS, name string) (*match, error) {
	info, isDevice, err := sysfs.Node(fsys, strings.TrimSuffix(name, "/"))
	if err != nil || info == nil || m.Type != KindMount && !isDevice {
		return nil, err
	}
	hit := &match{path: "/" + name, identity: "/" + name}
	if isDevice {
		hit.numa, err = numaOf(fsys, info)
	}
	return hit, err
}

// glob is fs.Glob, but a folder that cannot be read is an error and not an empty folder.
func glob(fsys fs.FS, pattern string) ([]string, error) {
	if !strings.ContainsAny(pattern, `*?[\`) {
		return []string{pattern}, nil
	}
	dir, last := path.Split(pattern)
	folders, err := glob(fsys, strings.TrimSuffix(dir, "/"))
	if err != nil {
		return nil, err
	}
	var all []string
	for _, folder := range folders {
		names, err := sysfs.List(fsys, cmpOr(folder, "."))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if ok, err := path.Match(last, name); err != nil {
				return nil, fmt.Errorf("pattern %s: %w", pattern, err)
			} else if ok {
				all = append(all, path.Join(folder, name))
			}
		}
	}
	slices.SortFunc(all, natural)
	return all, nil
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// grant adds the match to what a device hands out.
func (m Member) grant(g *device.Grant, hit match) {
	to := hit.path
	if m.MountPath != "" {
		to = m.MountPath
		if strings.HasSuffix(to, "/") {
			to = path.Join(to, path.Base(hit.path))
		}
	}
	if m.Type == KindMount {
		g.Mounts = append(g.Mounts, device.Mount{HostPath: hit.path, ContainerPath: to, ReadOnly: m.ReadOnly})
		return
	}
	g.Nodes = append(g.Nodes, device.Node{HostPath: hit.path, ContainerPath: to, Permissions: cmpOr(m.Permissions, "rw")})
}
