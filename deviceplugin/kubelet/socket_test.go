package kubelet

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSocketNamesFitAndAreNeverUsedTwice(t *testing.T) {
	longName := strings.Repeat("long.", 40) + "example.com/" + strings.Repeat("n", 63)
	seen := map[string]bool{}
	for _, resource := range []string{"gpu.intel.com/i915", longName, longName + "2"} {
		for range 2 { // two instances
			n := newNames(DefaultDir, resource)
			for range 100 {
				name := n.next()
				if len(name) > maxSocketPath || seen[name] {
					t.Fatalf("%s: %d bytes, used before: %v", name, len(name), seen[name])
				}
				seen[name] = true
			}
		}
	}
	if n := newNames(DefaultDir, "gpu.intel.com/i915"); !strings.Contains(n.next(), "berth-gpu.intel.com-i915-") {
		t.Errorf("a short name is not readable: %s", n.prefix)
	}
}

func TestAFolderWhoseSocketsWouldNotFitIsRefused(t *testing.T) {
	if err := ValidateDir(DefaultDir); err != nil {
		t.Error(err)
	}
	err := ValidateDir("/" + strings.Repeat("d", 80))
	if err == nil || !strings.Contains(err.Error(), "bytes too long") {
		t.Errorf("got %v", err)
	}
}

func TestOnlyOurOwnDeadSocketsAreRemoved(t *testing.T) {
	dir, err := os.MkdirTemp("", "k[1]") // a pattern, if it is taken for one
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	leave := func(name string) {
		l, err := net.Listen("unix", filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		_ = l.Close()
	}
	leave("berth-a-b-1.sock")
	leave("intel.sock")
	alive, err := net.Listen("unix", filepath.Join(dir, "berth-a-c-1.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close() //nolint:errcheck // a listener of the test
	if err := os.WriteFile(filepath.Join(dir, "kubelet_internal_checkpoint"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	removed, err := RemoveStale(dir)
	if err != nil || len(removed) != 1 || filepath.Base(removed[0]) != "berth-a-b-1.sock" {
		t.Errorf("removed %v, %v", removed, err)
	}
	for _, name := range []string{"intel.sock", "berth-a-c-1.sock", "kubelet_internal_checkpoint"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestAFileThatTookAnothersPlaceIsTold(t *testing.T) {
	name := filepath.Join(t.TempDir(), "kubelet.sock")
	if identify(name).exists {
		t.Error("a file that is not there exists")
	}
	write := func() fileID {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return identify(name)
	}
	first := write()
	if identify(name) != first {
		t.Error("the same file is another")
	}
	time.Sleep(20 * time.Millisecond) // the kernel's clock for files ticks every few milliseconds
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if second := write(); second == first {
		t.Errorf("another file is the same: %+v", second)
	}
}

func TestDelaysGrowAndStayBelowTheLongest(t *testing.T) {
	for failures := range 100 {
		d := delay(failures)
		longest := min(lastDelay, firstDelay<<min(failures, 10))
		if d < longest/2 || d > longest {
			t.Errorf("after %d failures: %v, want %v to %v", failures, d, longest/2, longest)
		}
	}
}
