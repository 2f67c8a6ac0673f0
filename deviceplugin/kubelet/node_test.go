package kubelet_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/inotify"
	"github.com/berth-dev/berth/deviceplugin/kubelet"
	"github.com/berth-dev/berth/deviceplugin/kubelet/kubelettest"
)

var modes = []kubelettest.Mode{kubelettest.OneClient, kubelettest.Takeover, kubelettest.IgnoreSamePath}

// node is a machine with a folder for device plugins, and perhaps a kubelet.
type node struct {
	t       *testing.T
	dir     string
	mode    kubelettest.Mode
	kubelet *kubelettest.Kubelet
}

func newNode(t *testing.T, mode kubelettest.Mode) *node {
	dir, err := os.MkdirTemp("", "k") // a short path, since those of sockets may have 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	n := &node{t: t, dir: dir, mode: mode}
	t.Cleanup(func() {
		_ = os.RemoveAll(dir)
	})
	t.Cleanup(func() {
		if n.kubelet != nil {
			n.kubelet.Stop()
		}
	})
	return n
}

func (n *node) startKubelet() {
	n.t.Helper()
	k, err := kubelettest.Start(n.dir, n.mode)
	if err != nil {
		n.t.Fatal(err)
	}
	n.kubelet = k
}

func (n *node) restartKubelet() {
	n.t.Helper()
	n.kubelet.Stop()
	n.startKubelet()
}

// instance is a plugin process.
type instance struct {
	feed     *device.Feed
	observer *observer
	stop     func()
}

// startPlugin starts a plugin that offers the devices. It is stopped at the end of the test, if not before.
func (n *node) startPlugin(watcher *inotify.Watcher, names ...string) *instance {
	n.t.Helper()
	i := &instance{feed: device.NewFeed(), observer: &observer{}}
	i.offer(names...)
	p := kubelet.Plugin{
		Resource: resource, Dir: n.dir, Feed: i.feed, Policy: device.Spread, Watcher: watcher, Observer: i.observer,
		Log: slog.New(slog.NewTextHandler(n.t.Output(), nil)),
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { p.Run(ctx) })
	i.stop = sync.OnceFunc(func() {
		cancel()
		wg.Wait()
	})
	n.t.Cleanup(i.stop)
	return i
}

func (i *instance) offer(names ...string) {
	i.feed.Publish(shares(true, names...))
}

func shares(healthy bool, names ...string) []device.Share {
	all := make([]device.Share, 0, len(names))
	for _, name := range names {
		d := &device.Device{Identity: name, Healthy: healthy, Grant: device.Grant{
			Nodes: []device.Node{{HostPath: "/dev/" + name, ContainerPath: "/dev/" + name, Permissions: "rw"}},
		}}
		all = append(all, device.Share{ID: name, Device: d})
	}
	return all
}

// sees waits until the kubelet may hand out exactly these devices.
func (n *node) sees(within time.Duration, names ...string) {
	n.t.Helper()
	want := strings.Join(names, " ")
	n.waits(within, func(s kubelettest.State) bool { return strings.Join(s.Allocatable, " ") == want && s.Connected > 0 })
}

// waits fails when it takes five times as long as it should: the second itself is measured, by `make bench-deviceplugin`,
// and a test must hold on a machine that is busy too.
func (n *node) waits(within time.Duration, ok func(kubelettest.State) bool) {
	n.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*within)
	defer cancel()
	if err := n.kubelet.Wait(ctx, resource, ok); err != nil {
		n.t.Fatal(err)
	}
}

func watcher(t *testing.T) *inotify.Watcher {
	t.Helper()
	w, err := inotify.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// observer counts what it is told.
type observer struct {
	mu                    sync.Mutex
	registered, failed    int
	open                  int
	allocations, refusals int
	onAllocate            func()
}

func (o *observer) Registered(_ string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		o.failed++
		return
	}
	o.registered++
}

func (o *observer) Streaming(_ string, open int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open = open
}

func (o *observer) Allocated(_ string, _ int, err error) {
	o.mu.Lock()
	f := o.onAllocate
	if err != nil {
		o.refusals++
	} else {
		o.allocations++
	}
	o.mu.Unlock()
	if f != nil {
		f()
	}
}

func (o *observer) counts() (registered, failed, open int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.registered, o.failed, o.open
}

func inEveryMode(t *testing.T, f func(*testing.T, *node)) {
	for _, mode := range modes {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			f(t, newNode(t, mode))
		})
	}
}
