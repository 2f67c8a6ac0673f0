package generic

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/berth-dev/berth/deviceplugin/device"
)

// Devices gives the devices of all groups, sorted. A device that two groups describe alike is counted once.
func Devices(fsys fs.FS, groups []Group) ([]device.Device, error) {
	var all []device.Device
	seen := map[string]bool{}
	for i, g := range groups {
		devices, err := g.devices(fsys)
		if err != nil {
			return nil, fmt.Errorf("group %d: %w", i, err)
		}
		for _, d := range devices {
			if !seen[d.Identity] {
				seen[d.Identity] = true
				all = append(all, d)
			}
		}
	}
	device.Sort(all)
	return all, nil
}

func (g Group) devices(fsys fs.FS) ([]device.Device, error) {
	found := make([][]match, len(g.Members))
	for i, m := range g.Members {
		hits, err := m.matches(fsys)
		if err != nil {
			return nil, err
		}
		found[i] = hits
	}
	all := make([]device.Device, 0, g.count(found))
	for n := range g.count(found) {
		all = append(all, g.device(found, n))
	}
	return all, nil
}

// count is the length of the shortest list among the members that are required. A group of single files is one device, if all are
// there.
func (g Group) count(found [][]match) int {
	n, patterns := 0, false
	for i, m := range g.Members {
		switch {
		case m.Optional:
		case len(found[i]) == 0:
			return 0
		case m.pattern() && (!patterns || len(found[i]) < n):
			n, patterns = len(found[i]), true
		}
	}
	if !patterns {
		return 1
	}
	return n
}

// device puts the n-th match of each member together. Its identity is that of the members that are required, so that an optional one
// that comes later makes the same device hand out more, and not another device beside it.
func (g Group) device(found [][]match, n int) device.Device {
	d := device.Device{Healthy: true}
	var identity []string
	for i, m := range g.Members {
		k := n
		if !m.pattern() {
			k = 0
		}
		if k >= len(found[i]) {
			continue
		}
		hit := found[i][k]
		m.grant(&d.Grant, hit)
		if d.NUMA == nil {
			d.NUMA = hit.numa
		}
		if !m.Optional && m.Type != KindMount {
			identity = append(identity, hit.identity)
		}
	}
	d.Identity = strings.TrimPrefix(strings.Join(identity, "+"), "/dev/")
	return d
}
