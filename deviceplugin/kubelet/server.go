package kubelet

import (
	"context"
	"slices"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"

	"github.com/berth-dev/berth/deviceplugin/device"
)

// server answers the kubelet's calls for one session.
type server struct {
	api.UnimplementedDevicePluginServer
	resource string
	feed     *device.Feed
	policy   device.Policy
	observer Observer
	streams  *streams
	calls    *sync.RWMutex
	stopping chan struct{}
}

// GetDevicePluginOptions says what else the kubelet may call.
func (s *server) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{GetPreferredAllocationAvailable: s.policy != device.None}, nil
}

// ListAndWatch sends the list, and sends it again whenever there is a later one, until the stream's own context ends.
func (s *server) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	s.streams.enter()
	defer s.streams.leave()
	var sent uint64
	for {
		list, next := s.feed.Current()
		if list.Version != sent {
			if err := stream.Send(listResponse(list)); err != nil {
				return err
			}
			sent = list.Version
		}
		select {
		case <-next:
		case <-stream.Context().Done():
			return stream.Context().Err()
		case <-s.stopping:
			return nil
		}
	}
}

// Allocate says what a container is given for the IDs that the kubelet chose.
func (s *server) Allocate(_ context.Context, r *api.AllocateRequest) (*api.AllocateResponse, error) {
	s.calls.RLock()
	defer s.calls.RUnlock()
	list, _ := s.feed.Current()
	response := &api.AllocateResponse{}
	for _, c := range r.GetContainerRequests() {
		grant, err := s.grant(list, c.GetDevicesIds())
		s.observer.Allocated(s.resource, len(c.GetDevicesIds()), err)
		if err != nil {
			return nil, err
		}
		response.ContainerResponses = append(response.ContainerResponses, allocateResponse(grant))
	}
	return response, nil
}

func (s *server) grant(list *device.List, ids []string) (device.Grant, error) {
	var devices []*device.Device
	for _, id := range ids {
		d := list.Find(id)
		if d == nil {
			return device.Grant{}, status.Errorf(codes.NotFound, "allocating %s: there is no device %q on this node", s.resource, id)
		}
		if !d.Healthy {
			return device.Grant{}, status.Errorf(codes.Unavailable, "allocating %s: device %q lacks one of its nodes %v", s.resource, id, d.Grant.HostPaths())
		}
		if !slices.Contains(devices, d) {
			devices = append(devices, d)
		}
	}
	return device.Merge(devices), nil
}

// GetPreferredAllocation chooses among the free IDs. It never fails, since an error keeps the pod from running.
func (s *server) GetPreferredAllocation(_ context.Context, r *api.PreferredAllocationRequest) (*api.PreferredAllocationResponse, error) {
	list, _ := s.feed.Current()
	response := &api.PreferredAllocationResponse{}
	for _, c := range r.GetContainerRequests() {
		ids := device.Prefer(list, s.policy, c.GetAvailableDeviceIDs(), c.GetMustIncludeDeviceIDs(), int(c.GetAllocationSize()))
		response.ContainerResponses = append(response.ContainerResponses, &api.ContainerPreferredAllocationResponse{DeviceIDs: ids})
	}
	return response, nil
}

// PreStartContainer is not asked for; it answers a caller who calls it all the same.
func (s *server) PreStartContainer(context.Context, *api.PreStartContainerRequest) (*api.PreStartContainerResponse, error) {
	return &api.PreStartContainerResponse{}, nil
}
