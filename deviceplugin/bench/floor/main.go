package main

import (
	"context"
	"log"
	"net"
	"os"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

type plugin struct {
	api.UnimplementedDevicePluginServer
	devices []*api.Device
}

func (p *plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (p *plugin) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	if err := stream.Send(&api.ListAndWatchResponse{Devices: p.devices}); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (p *plugin) Allocate(_ context.Context, r *api.AllocateRequest) (*api.AllocateResponse, error) {
	response := &api.AllocateResponse{}
	for range r.GetContainerRequests() {
		c := &api.ContainerAllocateResponse{}
		for _, node := range []string{"/dev/dri/card0", "/dev/dri/renderD128"} {
			c.Devices = append(c.Devices, &api.DeviceSpec{HostPath: node, ContainerPath: node, Permissions: "rw"})
		}
		response.ContainerResponses = append(response.ContainerResponses, c)
	}
	return response, nil
}

func (p *plugin) GetPreferredAllocation(context.Context, *api.PreferredAllocationRequest) (*api.PreferredAllocationResponse, error) {
	return &api.PreferredAllocationResponse{}, nil
}

func (p *plugin) PreStartContainer(context.Context, *api.PreStartContainerRequest) (*api.PreStartContainerResponse, error) {
	return &api.PreStartContainerResponse{}, nil
}

// main takes a folder and a number of devices.
func main() {
	dir := os.Args[1]
	n, err := strconv.Atoi(os.Args[2])
	check(err)
	p := &plugin{}
	for i := range n {
		p.devices = append(p.devices, &api.Device{ID: "floor-" + strconv.Itoa(i), Health: api.Healthy})
	}
	listener, err := net.Listen("unix", dir+"/floor.sock")
	check(err)
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, p)
	served := make(chan error)
	go func() { served <- server.Serve(listener) }()
	conn, err := grpc.NewClient("unix:"+dir+"/kubelet.sock", grpc.WithTransportCredentials(insecure.NewCredentials()))
	check(err)
	_, err = api.NewRegistrationClient(conn).Register(context.Background(), &api.RegisterRequest{
		Version: api.Version, Endpoint: "floor.sock", ResourceName: "gpu.intel.com/i915",
	})
	check(err)
	check(conn.Close())
	check(<-served)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
