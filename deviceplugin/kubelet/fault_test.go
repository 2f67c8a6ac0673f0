package kubelet_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"

	"github.com/berth-dev/berth/deviceplugin/inotify"
	"github.com/berth-dev/berth/deviceplugin/kubelet/kubelettest"
)

func TestItRegistersAgain(t *testing.T) {
	faults := map[string]func(*testing.T, *node){
		"when only the stream ends": func(_ *testing.T, n *node) { n.kubelet.CloseStream(resource) },
		"when only its socket is gone": func(t *testing.T, n *node) {
			for _, s := range sockets(t, n.dir) {
				remove(t, s)
			}
		},
		"when its socket was replaced by another file": func(t *testing.T, n *node) {
			for _, s := range sockets(t, n.dir) {
				remove(t, s)
				if err := os.WriteFile(s, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		},
		"when kubelet.sock has the same inode and another change time": func(t *testing.T, n *node) {
			if err := os.Chmod(filepath.Join(n.dir, "kubelet.sock"), 0o700); err != nil {
				t.Fatal(err)
			}
		},
		"when kubelet.sock is another one and its own socket is untouched": func(t *testing.T, n *node) {
			name := filepath.Join(n.dir, "kubelet.sock")
			aside := filepath.Join(n.dir, "aside")
			for _, to := range []string{aside, name} { // the same server under a new name is another change time
				from := map[string]string{aside: name, name: aside}[to]
				if err := os.Rename(from, to); err != nil {
					t.Fatal(err)
				}
			}
		},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			inEveryMode(t, func(t *testing.T, n *node) {
				n.startKubelet()
				i := n.startPlugin(watcher(t), "a")
				n.sees(soon, "a")
				before := len(n.kubelet.Registrations())
				fault(t, n)
				n.waits(soon, func(kubelettest.State) bool { return len(n.kubelet.Registrations()) > before })
				n.sees(soon, "a")
				i.offer("b")
				n.sees(soon, "b")
				everyNameIsNew(t, n)
			})
		})
	}
}

// A kubelet may answer a registration under a known name with success, and do nothing.
func everyNameIsNew(t *testing.T, n *node) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range n.kubelet.Registrations() {
		if seen[r.Endpoint] {
			t.Errorf("socket name %s was used twice", r.Endpoint)
		}
		seen[r.Endpoint] = true
	}
}

func TestARefusedRegistrationIsTriedAgain(t *testing.T) {
	n := newNode(t, kubelettest.OneClient)
	n.startKubelet()
	n.kubelet.FailNext(4)
	i := n.startPlugin(watcher(t), "a")
	n.sees(2*soon, "a")
	for deadline := time.Now().Add(soon); ; time.Sleep(5 * time.Millisecond) { // the list may come before the answer to Register
		registered, failed, open := i.observer.counts()
		if registered == 1 && failed == 4 && open == 1 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the observer was told of %d registrations, %d failures and %d streams; want 1, 4 and 1", registered, failed, open)
		}
	}
}

func TestAKubeletThatRestartsBetweenRegisterAndTheWatchIsNoticed(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		first := n.kubelet
		reached, replaced := make(chan struct{}), make(chan struct{})
		var once atomic.Bool
		first.OnRegister(func() {
			if once.CompareAndSwap(false, true) {
				close(reached)
				<-replaced
			}
		})
		n.startPlugin(watcher(t), "a")
		<-reached
		n.startKubelet() // takes the folder over, while the first has not answered yet
		close(replaced)
		n.sees(2*soon, "a")
		first.Stop()
		n.sees(2*soon, "a")
	})
}

// A kubelet that starts while we register removes the socket that it is then told of, and tries for ten seconds to call back there.
func TestASocketThatIsRemovedWhileWeRegisterIsNotWaitedFor(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		var once atomic.Bool
		n.kubelet.BeforeCallback(func(socket string) {
			if once.CompareAndSwap(false, true) {
				remove(t, socket)
			}
		})
		n.startPlugin(watcher(t), "a")
		n.sees(soon, "a")
	})
}

// A kubelet that answers and never opens the stream has lost us.
func TestAKubeletThatOpensNoStreamIsRegisteredWithAgain(t *testing.T) {
	t.Parallel()
	n := newNode(t, kubelettest.OneClient)
	deaf := &deafKubelet{}
	listener, err := net.Listen("unix", filepath.Join(n.dir, "kubelet.sock"))
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	api.RegisterRegistrationServer(server, deaf)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	n.startPlugin(watcher(t), "a")
	for deadline := time.Now().Add(8 * time.Second); deaf.calls.Load() < 2; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("registered %d times", deaf.calls.Load())
		}
	}
}

type deafKubelet struct {
	api.UnimplementedRegistrationServer
	calls atomic.Int32
}

func (d *deafKubelet) Register(context.Context, *api.RegisterRequest) (*api.Empty, error) {
	d.calls.Add(1)
	return &api.Empty{}, nil
}

func TestAStoppingPluginFinishesTheAllocateThatIsUnderWay(t *testing.T) {
	n := newNode(t, kubelettest.OneClient)
	n.startKubelet()
	i := n.startPlugin(watcher(t), "a")
	n.sees(soon, "a")
	plugin, err := n.kubelet.Plugin(resource)
	if err != nil {
		t.Fatal(err)
	}
	inside := make(chan struct{})
	i.observer.mu.Lock()
	i.observer.onAllocate = func() {
		close(inside)
		time.Sleep(300 * time.Millisecond)
	}
	i.observer.mu.Unlock()
	result := make(chan error)
	go func() {
		_, err := plugin.Allocate(context.Background(), request("a"))
		result <- err
	}()
	<-inside
	i.stop()
	if err := <-result; err != nil {
		t.Errorf("Allocate under way failed: %v", err)
	}
}

func TestStoppingUnderLoadIsSafe(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		for range 20 {
			i := n.startPlugin(watcher(t), "a")
			stop := make(chan struct{})
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					select {
					case <-stop:
						return
					default:
						i.offer("a", "b")
						i.offer("a")
						if plugin, err := n.kubelet.Plugin(resource); err == nil {
							_, _ = plugin.Allocate(context.Background(), request("a"))
						}
					}
				}
			}()
			time.Sleep(20 * time.Millisecond)
			i.stop()
			close(stop)
			<-done
		}
	})
}

func TestAFolderThatComesLaterIsFound(t *testing.T) {
	t.Parallel()
	n := newNode(t, kubelettest.OneClient)
	n.dir = filepath.Join(n.dir, "device-plugins")
	n.startPlugin(inotify.Polling(), "a")
	time.Sleep(100 * time.Millisecond)
	if err := os.Mkdir(n.dir, 0o750); err != nil {
		t.Fatal(err)
	}
	n.startKubelet()
	n.sees(soon, "a")
}

func request(ids ...string) *api.AllocateRequest {
	return &api.AllocateRequest{ContainerRequests: []*api.ContainerAllocateRequest{{DevicesIds: ids}}}
}

func sockets(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "berth-*.sock"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no sockets of ours: %v", err)
	}
	slices.Sort(all)
	return all
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}
