package kubelet_test

import (
	"testing"
	"time"

	"github.com/berth-dev/berth/deviceplugin/kubelet/kubelettest"
)

// A kubelet of old drops whichever client is there when an older stream ends: the new instance's.
func TestARolloutWithTwoInstancesEndsWithTheNewOneServing(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		older := n.startPlugin(watcher(t), "a")
		n.sees(soon, "a")
		newer := n.startPlugin(watcher(t), "a", "b")
		n.sees(soon, "a", "b")
		older.stop()
		n.sees(soon, "a", "b")
		newer.offer("c")
		n.sees(soon, "c")
	})
}

func TestTwoInstancesThatStayDoNotDriveEachOtherOut(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		n.startPlugin(watcher(t), "a")
		n.sees(soon, "a")
		n.startPlugin(watcher(t), "a")
		time.Sleep(soon)
		if r := n.kubelet.Registrations(); len(r) != 2 {
			t.Errorf("two instances registered %d times", len(r))
		}
		n.sees(soon, "a")
	})
}

func TestTheNewInstanceThatChangesItsMindLeavesTheOldOneServing(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		n.startPlugin(watcher(t), "a")
		n.sees(soon, "a")
		newer := n.startPlugin(watcher(t), "a")
		n.waits(soon, func(kubelettest.State) bool { return len(n.kubelet.Registrations()) == 2 })
		time.Sleep(soon / 2) // one that is gone before the older has looked once leaves no trace on a kubelet up to 1.36
		newer.stop()
		n.sees(3*soon, "a")
		time.Sleep(soon)
		if r := n.kubelet.Registrations(); len(r) > 3 {
			t.Errorf("%d registrations: it should have come to rest after the third", len(r))
		}
	})
}

func TestAnInstanceThatRestartsServesAgain(t *testing.T) {
	inEveryMode(t, func(t *testing.T, n *node) {
		n.startKubelet()
		for range 20 {
			i := n.startPlugin(watcher(t), "a")
			n.sees(soon, "a")
			i.stop()
		}
	})
}
