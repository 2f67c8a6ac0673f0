package kubelettest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"

	"google.golang.org/grpc"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// Mode is how a kubelet treats a second registration of the same resource.
type Mode int

// The modes.
const (
	// OneClient keeps one client for each resource (up to 1.36): when an older stream ends, whichever client is there is dropped.
	OneClient Mode = iota
	// Takeover keeps a client for each socket (from 1.37): the newest serves, and a stream that ends takes only its own with it.
	Takeover
	// IgnoreSamePath is Takeover that answers a registration under a known socket with success and does nothing
	// (kubernetes/kubernetes#139765).
	IgnoreSamePath
)

func (m Mode) String() string {
	return [...]string{"one client per name", "takeover", "same path ignored"}[m]
}

// Registration is one call of Register, and what became of it.
type Registration struct {
	Resource string
	Endpoint string
	Err      error
}

// Kubelet is a running kubelet.
type Kubelet struct {
	api.UnimplementedRegistrationServer
	dir  string
	mode Mode

	grpc    *grpc.Server
	closing chan struct{}
	wg      sync.WaitGroup

	mu            sync.Mutex
	changed       chan struct{}
	clients       map[string][]*client // by resource, oldest first
	devices       map[string]map[string]*api.Device
	lists         map[string]int
	registrations []Registration
	failNext      int
	onRegister    func()
	beforeCall    func(socket string)
}

// Start starts a kubelet in dir.
func Start(dir string, mode Mode) (*Kubelet, error) {
	k := &Kubelet{
		dir: dir, mode: mode, closing: make(chan struct{}), changed: make(chan struct{}),
		clients: map[string][]*client{}, devices: map[string]map[string]*api.Device{}, lists: map[string]int{},
	}
	if err := removeSockets(dir); err != nil {
		return nil, err
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "kubelet.sock"))
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	// a kubelet that dies leaves its socket behind
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	k.grpc = grpc.NewServer()
	api.RegisterRegistrationServer(k.grpc, k)
	k.wg.Add(1)
	go func() {
		defer k.wg.Done()
		_ = k.grpc.Serve(listener)
	}()
	return k, nil
}

// removeSockets removes the sockets in a folder and nothing else, as the kubelet does.
func removeSockets(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("cleaning the folder: %w", err)
	}
	for _, e := range entries {
		if e.Type()&os.ModeSocket == 0 {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("cleaning the folder: %w", err)
		}
	}
	return nil
}

// Stop ends the kubelet at once. Its socket file stays, as that of a process that was killed.
func (k *Kubelet) Stop() {
	close(k.closing)
	k.mu.Lock()
	for _, clients := range k.clients {
		for _, c := range clients {
			c.disconnect()
		}
	}
	k.mu.Unlock()
	k.grpc.Stop()
	k.wg.Wait()
}

// FailNext makes the next n registrations fail.
func (k *Kubelet) FailNext(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failNext = n
}

// OnRegister sets what happens after a registration was taken, and before it is answered.
func (k *Kubelet) OnRegister(f func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.onRegister = f
}

// BeforeCallback sets what happens between the arrival of a registration and the call back to the plugin's socket.
func (k *Kubelet) BeforeCallback(f func(socket string)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.beforeCall = f
}
