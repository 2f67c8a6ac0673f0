package drm

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/deviceplugin/device"
)

// ByPath says what a container gets of dev/dri/by-path.
type ByPath string

// The ways, spelt as in Intel's plugin.
const (
	ByPathSingle ByPath = "single" // the links of its own devices, which appear as device nodes
	ByPathNone   ByPath = "none"
	ByPathAll    ByPath = "all" // the whole folder, links and all, for programs that read the links (intel/intel-device-plugins-for-kubernetes#2158)
)

// ParseByPath reads one of the ways.
func ParseByPath(s string) (ByPath, error) {
	if b := ByPath(s); b == ByPathSingle || b == ByPathNone || b == ByPathAll {
		return b, nil
	}
	return "", fmt.Errorf("by-path %q: use single, none or all", s)
}

// RenderNodeEnv names the variable with the path of the first render node, for programs that would otherwise assume renderD128. With
// an S it has the paths of all of them, separated by commas.
const RenderNodeEnv = "GPU_RENDER_NODE"

// Options are the choices that a resource makes about what it hands out.
type Options struct {
	ByPath ByPath
	Env    string   // name of the variable with the render node's path; "" for none
	CDI    []string // CDI names, in which {address} stands for the card's address; the specs are the user's own
}

// Device is the card as one device.
func (c Card) Device(o Options) device.Device {
	g := device.Grant{Nodes: nodes(c.Nodes), Mounts: c.mounts(o.ByPath), Env: c.env(o.Env)}
	for _, name := range o.CDI {
		g.CDI = append(g.CDI, strings.ReplaceAll(name, "{address}", c.Address))
	}
	return device.Device{Identity: c.identity(), Grant: g, Healthy: true, NUMA: c.NUMA}
}

// Monitoring is one device with the nodes of all cards and of their management engines, for a program that watches every GPU of the
// node. It has no NUMA node since it may have several.
func Monitoring(cards []Card, o Options) device.Device {
	var g device.Grant
	for _, c := range cards {
		g.Nodes = append(g.Nodes, nodes(c.Nodes)...)
		g.Mounts = append(g.Mounts, c.mounts(o.ByPath)...)
		for _, name := range c.MEI {
			g.Nodes = append(g.Nodes, node(path.Join("/dev", name)))
		}
	}
	g.Mounts = slices.Compact(g.Mounts)
	return device.Device{Identity: "all", Grant: g, Healthy: true, Varies: true}
}

// identity stays the same when the nodes are renumbered.
func (c Card) identity() string {
	if c.Address == "" {
		return "drm-" + strings.Join(c.Nodes, "-")
	}
	return c.Address
}

func (c Card) mounts(b ByPath) []device.Mount {
	dir := path.Join("/", devDir, "by-path")
	var all []device.Mount
	switch {
	case b == ByPathAll && len(c.ByPath) > 0:
		all = append(all, device.Mount{HostPath: dir, ContainerPath: dir, ReadOnly: true})
	case b == ByPathSingle:
		for _, name := range c.ByPath {
			p := path.Join(dir, name)
			all = append(all, device.Mount{HostPath: p, ContainerPath: p, ReadOnly: true})
		}
	}
	return all
}

func (c Card) env(name string) []device.Env {
	i := slices.IndexFunc(c.Nodes, renderName.MatchString)
	if i < 0 || name == "" {
		return nil
	}
	p := path.Join("/", devDir, c.Nodes[i])
	return []device.Env{{Name: name, Value: p}, {Name: name + "S", Value: p, Join: true}}
}

func nodes(names []string) []device.Node {
	all := make([]device.Node, 0, len(names))
	for _, name := range names {
		all = append(all, node(path.Join("/", devDir, name)))
	}
	return all
}

func node(p string) device.Node {
	return device.Node{HostPath: p, ContainerPath: p, Permissions: "rw"}
}
