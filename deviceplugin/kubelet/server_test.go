package kubelet_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/kubelet/kubelettest"
)

// gpu is a device as discovery makes it.
func gpu(address, card, render string, numa *int64) device.Device {
	d := device.Device{Identity: address, Healthy: true, NUMA: numa, Grant: device.Grant{
		Env:    []device.Env{{Name: "GPU_RENDER_NODE", Value: render}, {Name: "GPU_RENDER_NODES", Value: render, Join: true}},
		Mounts: []device.Mount{{HostPath: "/dev/dri/by-path", ContainerPath: "/dev/dri/by-path", ReadOnly: true}},
		CDI:    []string{"example.com/gpu=" + card[len("/dev/dri/"):]},
	}}
	for _, p := range []string{card, render} {
		d.Grant.Nodes = append(d.Grant.Nodes, device.Node{HostPath: p, ContainerPath: p, Permissions: "rw"})
	}
	return d
}

// served starts a kubelet and a plugin that offers n shares of two GPUs, the first on NUMA node 0.
func served(t *testing.T, n int) (*node, *instance, api.DevicePluginClient, []string) {
	t.Helper()
	zero := int64(0)
	all, _ := device.Shares([]device.Device{
		gpu("0000:00:02.0", "/dev/dri/card0", "/dev/dri/renderD128", &zero),
		gpu("0000:03:00.0", "/dev/dri/card1", "/dev/dri/renderD129", nil),
	}, n)
	nd := newNode(t, kubelettest.Takeover)
	nd.startKubelet()
	i := nd.startPlugin(watcher(t))
	i.feed.Publish(all)
	ids := make([]string, 0, len(all))
	for _, s := range all {
		ids = append(ids, s.ID)
	}
	nd.waits(2*soon, func(s kubelettest.State) bool { return len(s.Allocatable) == 2*n })
	plugin, err := nd.kubelet.Plugin(resource)
	if err != nil {
		t.Fatal(err)
	}
	return nd, i, plugin, ids
}

func TestAllocateGivesEverythingOnceInAFixedOrder(t *testing.T) {
	_, _, plugin, ids := served(t, 2)
	slices.Reverse(ids) // the kubelet's order is that of a map
	r, err := plugin.Allocate(context.Background(), request(ids...))
	if err != nil {
		t.Fatal(err)
	}
	want := &api.ContainerAllocateResponse{
		Envs:       map[string]string{"GPU_RENDER_NODE": "/dev/dri/renderD128", "GPU_RENDER_NODES": "/dev/dri/renderD128,/dev/dri/renderD129"},
		Mounts:     []*api.Mount{{ContainerPath: "/dev/dri/by-path", HostPath: "/dev/dri/by-path", ReadOnly: true}},
		CdiDevices: []*api.CDIDevice{{Name: "example.com/gpu=card0"}, {Name: "example.com/gpu=card1"}},
	}
	for _, p := range []string{"card0", "renderD128", "card1", "renderD129"} {
		want.Devices = append(want.Devices, &api.DeviceSpec{ContainerPath: "/dev/dri/" + p, HostPath: "/dev/dri/" + p, Permissions: "rw"})
	}
	if len(r.GetContainerResponses()) != 1 || !proto.Equal(r.GetContainerResponses()[0], want) {
		t.Errorf("got  %v\nwant %v", r.GetContainerResponses(), want)
	}
}

func TestAllocateNamesTheIDThatItDoesNotKnow(t *testing.T) {
	_, i, plugin, ids := served(t, 1)
	_, err := plugin.Allocate(context.Background(), request(ids[0], "card7-0"))
	if err == nil || !strings.Contains(err.Error(), `allocating gpu.intel.com/i915: there is no device "card7-0" on this node`) {
		t.Errorf("got %v", err)
	}
	i.observer.mu.Lock()
	defer i.observer.mu.Unlock()
	if i.observer.refusals != 1 || i.observer.allocations != 0 {
		t.Errorf("the observer was told of %d refusals and %d allocations", i.observer.refusals, i.observer.allocations)
	}
}

func TestAllocateRefusesADeviceWhoseNodeIsAway(t *testing.T) {
	n, i, plugin, _ := served(t, 1)
	i.feed.Publish(shares(false, "away"))
	n.sees(soon)
	_, err := plugin.Allocate(context.Background(), request("away"))
	if err == nil || !strings.Contains(err.Error(), `device "away" lacks one of its nodes [/dev/away]`) {
		t.Errorf("got %v", err)
	}
}

// A topology without nodes rejects every pod under single-numa-node.
func TestTopologyIsNilWhereTheNUMANodeIsUnknown(t *testing.T) {
	n, _, _, ids := served(t, 1)
	s := n.kubelet.State(resource)
	if got := s.Devices[ids[0]].GetTopology().GetNodes(); len(got) != 1 || got[0].GetID() != 0 {
		t.Errorf("the first GPU is on %v, want NUMA node 0", got)
	}
	if s.Devices[ids[1]].GetTopology() != nil {
		t.Errorf("the second GPU has a topology: %v", s.Devices[ids[1]].GetTopology())
	}
}

func TestPreferredAllocationHonoursMustIncludeAndNeverFails(t *testing.T) {
	_, _, plugin, ids := served(t, 4)
	ask := func(size int32, must []string, available ...string) []string {
		t.Helper()
		r, err := plugin.GetPreferredAllocation(context.Background(), &api.PreferredAllocationRequest{
			ContainerRequests: []*api.ContainerPreferredAllocationRequest{
				{AvailableDeviceIDs: available, MustIncludeDeviceIDs: must, AllocationSize: size},
			}})
		if err != nil {
			t.Fatal(err)
		}
		return r.GetContainerResponses()[0].GetDeviceIDs()
	}
	if got := ask(2, nil, ids...); got[0] != ids[0] || got[1] != ids[4] {
		t.Errorf("two shares come from %v, want one of each GPU", got)
	}
	if got := ask(2, []string{ids[5]}, ids...); got[0] != ids[5] || got[1] != ids[0] {
		t.Errorf("got %v, want %s and one of the other GPU", got, ids[5])
	}
	if got := ask(3, []string{"stranger"}, ids[0]); len(got) != 2 {
		t.Errorf("with too few to choose from it gives %v", got)
	}
}

// The kubelet takes messages of 4 MiB, and ends the stream at the first that is larger.
func TestTheLongestListFitsIntoTheKubeletsLimit(t *testing.T) {
	n, _, plugin, ids := served(t, device.MaxShares/2)
	if s := n.kubelet.State(resource); len(s.Capacity) != device.MaxShares {
		t.Fatalf("the kubelet sees %d devices", len(s.Capacity))
	}
	r, err := plugin.GetPreferredAllocation(context.Background(), &api.PreferredAllocationRequest{
		ContainerRequests: []*api.ContainerPreferredAllocationRequest{{AvailableDeviceIDs: ids, AllocationSize: 100}}})
	if err != nil || len(r.GetContainerResponses()[0].GetDeviceIDs()) != 100 {
		t.Errorf("preferred allocation of 100 of %d: %v", len(ids), err)
	}
}

// In squat's plugin a stream that is left over takes the change, and the one that counts never sends it.
func TestAStreamThatNobodyReadsTakesNothingFromTheOthers(t *testing.T) {
	n, i, plugin, _ := served(t, 1)
	for range 5 {
		stalled, err := plugin.ListAndWatch(t.Context(), &api.Empty{})
		if err != nil {
			t.Fatal(err)
		}
		_ = stalled // opened and never read
	}
	for k := range 50 {
		name := fmt.Sprintf("device-%d", k)
		i.offer(name)
		n.sees(soon, name)
	}
}

func TestAStreamEndsWithItsContext(t *testing.T) {
	_, i, plugin, _ := served(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	stream, err := plugin.ListAndWatch(ctx, &api.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	cancel()
	for deadline := time.Now().Add(soon); ; time.Sleep(5 * time.Millisecond) {
		if _, _, open := i.observer.counts(); open == 1 {
			return // the kubelet's own
		}
		if time.Now().After(deadline) {
			t.Fatal("the stream is still there")
		}
	}
}
