package kubelet

import (
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"

	"github.com/berth-dev/berth/deviceplugin/device"
)

// listResponse makes the message of a list. It is made anew for each stream: a message is not shared between goroutines, and nothing
// is compared with it.
func listResponse(l *device.List) *api.ListAndWatchResponse {
	devices := make([]api.Device, len(l.Shares))
	pointers := make([]*api.Device, len(l.Shares))
	topologies := map[int64]*api.TopologyInfo{}
	for i, s := range l.Shares {
		d := &devices[i]
		d.ID, d.Health = s.ID, api.Unhealthy
		if s.Device.Healthy {
			d.Health = api.Healthy
		}
		d.Topology = topology(topologies, s.Device.NUMA)
		pointers[i] = d
	}
	return &api.ListAndWatchResponse{Devices: pointers}
}

// topology is nil where the NUMA node is not known. A TopologyInfo without nodes would be read as "no node will do".
func topology(known map[int64]*api.TopologyInfo, numa *int64) *api.TopologyInfo {
	if numa == nil {
		return nil
	}
	if known[*numa] == nil {
		known[*numa] = &api.TopologyInfo{Nodes: []*api.NUMANode{{ID: *numa}}}
	}
	return known[*numa]
}

func allocateResponse(g device.Grant) *api.ContainerAllocateResponse {
	r := &api.ContainerAllocateResponse{}
	for _, n := range g.Nodes {
		r.Devices = append(r.Devices, &api.DeviceSpec{HostPath: n.HostPath, ContainerPath: n.ContainerPath, Permissions: n.Permissions})
	}
	for _, m := range g.Mounts {
		r.Mounts = append(r.Mounts, &api.Mount{HostPath: m.HostPath, ContainerPath: m.ContainerPath, ReadOnly: m.ReadOnly})
	}
	for _, e := range g.Env {
		if r.Envs == nil {
			r.Envs = map[string]string{}
		}
		r.Envs[e.Name] = e.Value
	}
	for _, name := range g.CDI {
		r.CdiDevices = append(r.CdiDevices, &api.CDIDevice{Name: name})
	}
	return r
}
