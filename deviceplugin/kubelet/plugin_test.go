package kubelet_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/berth-dev/berth/deviceplugin/inotify"
	"github.com/berth-dev/berth/deviceplugin/kubelet/kubelettest"
)

const resource = "gpu.intel.com/i915"

// soon is what the plugin has for everything that follows a restart or a change.
const soon = time.Second

func TestTheKubeletSeesTheDevices(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		n.startPlugin(watcher(t), "a", "b")
		n.sees(soon, "a", "b")
	})
}

func TestAPluginThatStartsBeforeTheKubeletWaitsForIt(t *testing.T) {
	for name, w := range map[string]func(*testing.T) *inotify.Watcher{
		"with inotify":    watcher,
		"without inotify": func(*testing.T) *inotify.Watcher { return inotify.Polling() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNode(t, kubelettest.OneClient)
			n.startPlugin(w(t), "a")
			time.Sleep(600 * time.Millisecond)
			n.startKubelet()
			n.sees(soon, "a")
		})
	}
}

// Intel's plugin is dead after the first restart, and squat's delivers 7 of 20 of the changes that follow one.
func TestAHundredRestartsWithAChangeAfterEachLoseNothing(t *testing.T) {
	for name, w := range map[string]func(*testing.T) *inotify.Watcher{
		"with inotify":    watcher,
		"without inotify": func(*testing.T) *inotify.Watcher { return inotify.Polling() },
	} {
		t.Run(name, func(t *testing.T) {
			inEveryMode(t, func(t *testing.T, n *node) {
				n.startKubelet()
				i := n.startPlugin(w(t), "device-0")
				n.sees(soon, "device-0")
				for k := range 100 {
					n.restartKubelet()
					n.sees(soon, fmt.Sprintf("device-%d", k))
					i.offer(fmt.Sprintf("device-%d", k+1))
					n.sees(soon, fmt.Sprintf("device-%d", k+1))
				}
			})
		})
	}
}

func TestChangesThatComeWhileTheKubeletIsDownAreNotLost(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		i := n.startPlugin(watcher(t), "a")
		n.sees(soon, "a")
		n.kubelet.Stop()
		i.offer("a", "b")
		i.offer("b")
		n.startKubelet()
		n.sees(soon, "b")
	})
}

// Intel's plugin stops looking after the second change in the number of devices.
func TestManyChangesInANumberOfDevicesAllArrive(t *testing.T) {
	n := newNode(t, kubelettest.OneClient)
	n.startKubelet()
	i := n.startPlugin(watcher(t), "a")
	n.sees(soon, "a")
	for range 10 {
		for _, names := range [][]string{{"a", "b"}, {"a", "b", "c"}, {"c"}, {}, {"a"}} {
			i.offer(names...)
			n.sees(soon, names...)
		}
	}
	if registered, _, _ := i.observer.counts(); registered != 1 {
		t.Errorf("registered %d times for changes that need no registration", registered)
	}
}

func TestADeviceThatComesAndGoesAtOnceLeavesTheLastState(t *testing.T) {
	n := newNode(t, kubelettest.OneClient)
	n.startKubelet()
	i := n.startPlugin(watcher(t), "a")
	n.sees(soon, "a")
	for range 200 {
		i.offer("a", "b")
		i.offer("a")
	}
	n.sees(soon, "a")
}

func TestAnUnhealthyDeviceLowersAllocatableAndKeepsCapacity(t *testing.T) {
	n := newNode(t, kubelettest.OneClient)
	n.startKubelet()
	i := n.startPlugin(watcher(t), "a", "b")
	n.sees(soon, "a", "b")
	i.feed.Publish(append(shares(true, "a"), shares(false, "b")...))
	n.sees(soon, "a")
	if s := n.kubelet.State(resource); len(s.Capacity) != 2 {
		t.Errorf("capacity is %v, want both devices", s.Capacity)
	}
	i.offer("a", "b")
	n.sees(soon, "a", "b")
}

func TestAPluginThatStopsLeavesNothingBehind(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		i := n.startPlugin(watcher(t), "a")
		n.sees(soon, "a")
		i.stop()
		n.waits(soon, func(s kubelettest.State) bool { return len(s.Allocatable) == 0 && s.Connected == 0 })
		if left, _ := filepath.Glob(filepath.Join(n.dir, "berth-*")); len(left) > 0 {
			t.Errorf("sockets are left: %v", left)
		}
	})
}
