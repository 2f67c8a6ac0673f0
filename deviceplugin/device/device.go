package device

import (
	"slices"
	"strings"
)

// Node is one device node that a container gets.
type Node struct {
	HostPath      string `json:"hostPath"`
	ContainerPath string `json:"containerPath"`
	Permissions   string `json:"permissions"` // of "r", "w" and "m", as in the kubelet's DeviceSpec
}

// Mount is one bind mount that a container gets.
type Mount struct {
	HostPath      string `json:"hostPath"`
	ContainerPath string `json:"containerPath"`
	ReadOnly      bool   `json:"readOnly"`
}

// Env is one environment variable that a container gets. Where several devices in one container set the same name, the value of
// the first device stands, or, with Join, the values of all of them separated by commas.
type Env struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Join  bool   `json:"join,omitempty"`
}

// Grant is everything that a container is handed for a device.
type Grant struct {
	Nodes  []Node
	Mounts []Mount
	Env    []Env
	CDI    []string // fully qualified names, vendor/class=name
}

// Device is one thing on this node: a GPU, a serial stick, a group of nodes that only work together.
type Device struct {
	// Identity says which thing it is, whatever its nodes are called today: a PCI address, a USB serial number.
	Identity string
	Grant    Grant
	// Healthy is false while a node that belongs to the device is away.
	Healthy bool
	// Varies is true for a device that is whatever nodes there are: fewer than before are no fault.
	Varies bool
	// NUMA is the NUMA node, or nil where the kernel does not say. An empty topology is not the same as none: under the topology
	// manager's single-numa-node policy it rejects every pod (kubernetes/kubernetes#112234).
	NUMA *int64
}

// Equal reports whether a and b are the same device in the same state.
func (d Device) Equal(o Device) bool {
	sameNUMA := d.NUMA == nil && o.NUMA == nil || d.NUMA != nil && o.NUMA != nil && *d.NUMA == *o.NUMA
	return sameNUMA && d.Identity == o.Identity && d.Healthy == o.Healthy && d.Varies == o.Varies && d.Grant.Equal(o.Grant)
}

// Equal reports whether a and b hand out the same.
func (g Grant) Equal(o Grant) bool {
	return slices.Equal(g.Nodes, o.Nodes) && slices.Equal(g.Mounts, o.Mounts) && slices.Equal(g.Env, o.Env) && slices.Equal(g.CDI, o.CDI)
}

// HostPaths lists the device nodes on the host, in the order they are handed out.
func (g Grant) HostPaths() []string {
	paths := make([]string, 0, len(g.Nodes))
	for _, n := range g.Nodes {
		paths = append(paths, n.HostPath)
	}
	return paths
}

// Lacks reports whether g hands out some of the nodes of o and none besides, and not all.
func (g Grant) Lacks(o Grant) bool {
	has := o.HostPaths()
	for _, p := range g.HostPaths() {
		if !slices.Contains(has, p) {
			return false
		}
	}
	return len(g.Nodes) < len(o.Nodes)
}

// Sort orders devices by identity, and those of one identity by the first of their nodes.
func Sort(devices []Device) {
	slices.SortFunc(devices, func(a, b Device) int {
		if c := strings.Compare(a.Identity, b.Identity); c != 0 {
			return c
		}
		return slices.Compare(a.Grant.HostPaths(), b.Grant.HostPaths())
	})
}
