package kubelet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

const (
	// maxMessage admits GetPreferredAllocation with every ID that a resource may have; gRPC's own limit is 4 MiB.
	maxMessage = 16 << 20
	// registerTimeout is longer than the 10 s that the kubelet gives itself for calling back.
	registerTimeout = 15 * time.Second
	// graceTimeout is for an Allocate that is under way when the plugin is told to stop.
	graceTimeout = 2 * time.Second
	sendTime     = 50 * time.Millisecond
)

// reconnect is for a connection that breaks while the kubelet starts: gRPC's own delay begins at a second.
var reconnect = backoff.Config{BaseDelay: firstDelay, Multiplier: 2, Jitter: 0.2, MaxDelay: 10 * firstDelay}

// session is one socket, one server and one registration.
type session struct {
	socket   string
	self     fileID // our socket as it was made
	kubelet  fileID // kubelet.sock as it was before the registration
	grpc     *grpc.Server
	streams  *streams
	calls    *sync.RWMutex // held for reading by each Allocate that is under way
	stopping chan struct{}
	served   chan struct{}
}

// serve listens and serves on socket. The kubelet finds a server there as soon as serve returns.
func (p *Plugin) serve(socket string, kubelet fileID) (*session, error) {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, fmt.Errorf("listening: %w%s", err, hint(err))
	}
	s := &session{
		socket: socket, self: identify(socket), kubelet: kubelet,
		grpc:     grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage)),
		stopping: make(chan struct{}), served: make(chan struct{}), calls: &sync.RWMutex{},
		streams: newStreams(func(open int) { p.Observer.Streaming(p.Resource, open) }),
	}
	api.RegisterDevicePluginServer(s.grpc, &server{
		resource: p.Resource, feed: p.Feed, policy: p.Policy, observer: p.Observer,
		streams: s.streams, calls: s.calls, stopping: s.stopping,
	})
	go func() {
		defer close(s.served)
		_ = s.grpc.Serve(listener) // ends with close; a socket that stops working shows as a stream that ends
	}()
	return s, nil
}

// register tells the kubelet where we serve. It returns after the kubelet has called back.
func (s *session) register(ctx context.Context, resource string, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, registerTimeout)
	defer cancel()
	conn, err := grpc.NewClient("passthrough:///localhost",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: reconnect, MinConnectTimeout: registerTimeout}),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, kubeletSocket))
		}))
	if err != nil {
		return fmt.Errorf("connecting to the kubelet: %w", err)
	}
	defer conn.Close() //nolint:errcheck // nothing is under way
	_, err = api.NewRegistrationClient(conn).Register(ctx, &api.RegisterRequest{
		Version: api.Version, Endpoint: filepath.Base(s.socket), ResourceName: resource,
	})
	if err != nil {
		return fmt.Errorf("registering with the kubelet: %w%s", err, hint(err))
	}
	return nil
}

// close lets an Allocate under way finish, ends the streams, and removes the socket. The streams come second since a kubelet drops the
// connection, and every call on it, as soon as its stream ends.
func (s *session) close() {
	if s.calls.TryLock() {
		s.calls.Unlock() // none is under way
	} else {
		s.waitForCalls()
	}
	close(s.stopping)
	patience := time.AfterFunc(graceTimeout, s.grpc.Stop)
	defer patience.Stop()
	s.grpc.GracefulStop() // closes the listener, which removes the socket
	<-s.served
}

// waitForCalls waits until no Allocate is under way, and its answer has had time to be sent.
func (s *session) waitForCalls() {
	quiet := make(chan struct{})
	go func() {
		defer close(quiet)
		s.calls.Lock()
		defer s.calls.Unlock()
		time.Sleep(sendTime)
	}()
	select {
	case <-quiet:
	case <-time.After(graceTimeout):
	}
}

// broken says what is no longer as it was when the session began; "" where all is well.
func (s *session) broken(dir string) string {
	if !s.self.exists || identify(s.socket) != s.self {
		return "our socket is gone"
	}
	if identify(filepath.Join(dir, kubeletSocket)) != s.kubelet {
		return "kubelet.sock is another one"
	}
	return ""
}

// hint adds what is usually behind an error that a file's mode does not explain.
func hint(err error) string {
	if errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EACCES) ||
		strings.Contains(err.Error(), "permission denied") { // gRPC keeps only the text of what its dialer returned
		return " (the plugin must run as root, and SELinux must let it connect: type container_device_plugin_t, " +
			"and a kubelet that does not run unconfined)"
	}
	return ""
}
