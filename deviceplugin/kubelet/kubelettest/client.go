package kubelettest

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// client is the kubelet's side of one registration.
type client struct {
	resource, socket string
	options          *api.DevicePluginOptions

	mu   sync.Mutex
	conn *grpc.ClientConn
}

// connect dials the plugin and asks for its options. The real one gives itself 10 s.
func (c *client) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn, err := grpc.NewClient("passthrough:///localhost", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", c.socket)
		}))
	if err != nil {
		return fmt.Errorf("connecting to the plugin: %w", err)
	}
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if !conn.WaitForStateChange(ctx, state) {
			_ = conn.Close()
			return fmt.Errorf("failed to dial device plugin: %w", ctx.Err())
		}
	}
	options, err := api.NewDevicePluginClient(conn).GetDevicePluginOptions(ctx, &api.Empty{})
	if err != nil {
		_ = conn.Close()
		return fmt.Errorf("failed to get device plugin options: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn, c.options = conn, options
	return nil
}

// watch hands each list to receive, until the stream ends.
func (c *client) watch(receive func(*api.ListAndWatchResponse)) error {
	plugin := c.api()
	if plugin == nil {
		return nil
	}
	stream, err := plugin.ListAndWatch(context.Background(), &api.Empty{})
	if err != nil {
		return err
	}
	for {
		list, err := stream.Recv()
		if err != nil {
			return err
		}
		receive(list)
	}
}

func (c *client) api() api.DevicePluginClient {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return nil
	}
	return api.NewDevicePluginClient(c.conn)
}

func (c *client) disconnect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}
