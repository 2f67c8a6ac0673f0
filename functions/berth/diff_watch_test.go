package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/live/livetest"
)

const watchedIntent = `apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: home}
spec:
  taints: [{name: wsl, taint: "berth.dev/wsl=flaky:NoSchedule", reason: flaky}]
  nodes: [{names: [tower], taints: [wsl]}, {names: [server]}]
`

// heard is a stream that a test reads while a command writes.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// until waits for something in the stream.
func (h *heard) until(t *testing.T, met func(string) bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !met(h.String()); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not come about:\n%s", h)
		}
	}
}

// watched is a command that follows a cluster, in this process.
type watched struct {
	t        *testing.T
	server   *livetest.Server
	out, err heard
	code     chan int
}

// watchCommand starts a command on a cluster of two nodes, one of which lacks its taint.
func watchCommand(t *testing.T, files map[string]string, args ...string) *watched {
	t.Helper()
	server, err := livetest.New(`{apiVersion: v1, kind: Node, metadata: {name: server}}
---
{apiVersion: v1, kind: Node, metadata: {name: tower}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: web}, spec: {replicas: 0, template: {spec: {}}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	dir := t.TempDir()
	kubeconfig, err := server.Kubeconfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range args {
		if files[args[i]] != "" {
			args[i] = filepath.Join(dir, args[i])
		}
	}
	w := &watched{t: t, server: server, code: make(chan int, 1)}
	go func() {
		w.code <- run(append(args, "--kubeconfig", kubeconfig), streams{in: strings.NewReader(""), out: &w.out, err: &w.err})
	}()
	return w
}

// watches waits until the command has begun to watch so many resources.
func (w *watched) watches(n int) {
	w.t.Helper()
	w.out.until(w.t, func(string) bool { return w.server.Watches() >= n })
}

// interrupt is Ctrl-C. It returns the exit code.
func (w *watched) interrupt() int {
	w.t.Helper()
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		w.t.Fatal(err)
	}
	return w.ended()
}

func (w *watched) ended() int {
	w.t.Helper()
	select {
	case code := <-w.code:
		return code
	case <-time.After(30 * time.Second):
		w.t.Fatal("it does not end")
		return 0
	}
}

func (w *watched) put(format string, args ...any) {
	w.t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(fmt.Appendf(nil, format, args...), &o.Object); err != nil {
		w.t.Fatal(err)
	}
	w.server.Put(o)
}

// The resources that berth diff and berth confirm watch.
const (
	ofDiff    = 9
	ofConfirm = 3
)

func TestDiffWatchPrintsEachChangeOnceAndEndsWithTheLastState(t *testing.T) {
	w := watchCommand(t, map[string]string{"taints.yaml": watchedIntent}, "diff", "taints.yaml", "--watch")
	w.out.until(t, func(text string) bool { return strings.Contains(text, "drift: 1") })
	w.watches(ofDiff)
	w.server.CutWatches()
	w.put("{apiVersion: v1, kind: Node, metadata: {name: server, annotations: {nobody: looks}}}") // nothing to print
	w.put("{apiVersion: v1, kind: Node, metadata: {name: tower}, spec: {taints: [{key: berth.dev/wsl, value: flaky, effect: NoSchedule}]}}")
	w.out.until(t, func(text string) bool { return strings.Contains(text, "no drift") })
	w.server.Forget()
	w.server.CutWatches()
	w.put("{apiVersion: v1, kind: Node, metadata: {name: tower}}")
	w.out.until(t, func(text string) bool { return strings.Count(text, "drift: 1") == 2 })
	if code := w.interrupt(); code != 1 {
		t.Errorf("exit %d, and the last state is drift", code)
	}
	blocks := strings.Split(w.out.String(), "\n---\n")
	if len(blocks) != 3 || strings.TrimSpace(blocks[0]) != strings.TrimSpace(blocks[2]) || !strings.HasPrefix(blocks[1], w.server.URL) {
		t.Errorf("%d blocks:\n%s", len(blocks), &w.out)
	}
	if w.err.String() != "" {
		t.Errorf("said: %s", &w.err)
	}
}

func TestDiffWatchEndsWellWhenTheLastStateIsWell(t *testing.T) {
	w := watchCommand(t, map[string]string{"taints.yaml": watchedIntent}, "diff", "taints.yaml", "-w", "-o", "json")
	w.watches(ofDiff)
	w.put("{apiVersion: v1, kind: Node, metadata: {name: tower}, spec: {taints: [{key: berth.dev/wsl, value: flaky, effect: NoSchedule}]}}")
	w.out.until(t, func(text string) bool { return strings.Contains(text, `"drift": false`) })
	if code := w.interrupt(); code != 0 || strings.Contains(w.out.String(), "---") {
		t.Errorf("exit %d:\n%s", code, &w.out)
	}
}

func TestApplyWaitsUntilTheWorkloadsAreReady(t *testing.T) {
	intent := watchedIntent + "  allow: [{workload: {kind: Deployment, namespace: shop, name: web}, tolerate: [wsl], reason: x}]\n"
	const web = `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: web, generation: %d},
spec: {replicas: 1, template: {spec: {tolerations: [%s]}}}, status: {observedGeneration: 2, replicas: 1, updatedReplicas: 1}}`
	const tolerates = "{key: berth.dev/wsl, operator: Exists}"
	w := watchCommand(t, map[string]string{"taints.yaml": intent}, "apply", "taints.yaml", "--yes", "--wait", "5m")
	w.err.until(t, func(text string) bool {
		return strings.Contains(text, "waiting: Deployment shop/web does not tolerate")
	})
	w.watches(ofDiff)
	w.put(web, 3, tolerates)
	w.err.until(t, func(text string) bool {
		return strings.Contains(text, "its controller has not seen the newest template")
	})
	w.server.CutWatches()
	w.put(web, 2, tolerates)
	if code := w.ended(); code != 0 || !strings.Contains(w.err.String(), "node tower: + berth.dev/wsl=flaky:NoSchedule") {
		t.Errorf("exit %d\n%s%s", code, &w.out, &w.err)
	}
}

func TestApplyThatWaitedInVainSaysWhatIsMissing(t *testing.T) {
	intent := watchedIntent + "  allow: [{workload: {kind: Deployment, namespace: shop, name: web}, tolerate: [wsl], reason: x}]\n"
	w := watchCommand(t, map[string]string{"taints.yaml": intent}, "apply", "taints.yaml", "--yes", "--wait", "2s")
	if code := w.ended(); code != 1 || !strings.Contains(w.err.String(), "step 1 is not safe yet") || w.server.Writes() != 0 {
		t.Errorf("exit %d\n%s%s", code, &w.out, &w.err)
	}
}

func TestConfirmWaitSeesWhatComesWhileItsWatchesAreCut(t *testing.T) {
	const image = "example.com/p:v1@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	plugin := "{apiVersion: berth.dev/v1alpha1, kind: DevicePlugin, metadata: {name: intel-gpu}, spec: {preset: intel-gpu, image: \"" + image + "\", nodes: [tower]}}"
	w := watchCommand(t, map[string]string{"gpu.yaml": plugin}, "confirm", "gpu.yaml", "--wait", "5m", "--at", "2026-10-01", "-o", "-")
	w.watches(ofConfirm)
	w.put("{apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: intel-gpu-plugin, name: intel-gpu-plugin}, spec: {template: {spec: {containers: [{name: p, image: %q}]}}}, status: {desiredNumberScheduled: 1, updatedNumberScheduled: 1}}", image)
	w.err.until(t, func(text string) bool { return strings.Contains(text, "has no pod of") })
	w.server.CutWatches()
	w.server.GoAway(7)
	w.put("{apiVersion: v1, kind: Pod, metadata: {namespace: intel-gpu-plugin, name: p, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: intel-gpu-plugin, uid: a}]}, spec: {nodeName: tower, containers: [{name: p, image: %q}]}, status: {conditions: [{type: Ready, status: \"True\"}]}}", image)
	w.server.Forget()
	w.server.CutWatches()
	w.put("{apiVersion: v1, kind: Node, metadata: {name: tower}, status: {capacity: {gpu.intel.com/i915: 1}, allocatable: {gpu.intel.com/i915: 1}}}")
	if code := w.ended(); code != 0 || !strings.Contains(w.out.String(), "kind: DeviceEvidence") {
		t.Errorf("exit %d\n%s%s", code, &w.out, &w.err)
	}
}

func TestAnInterruptedWaitWritesNothing(t *testing.T) {
	plugin := "{apiVersion: berth.dev/v1alpha1, kind: DevicePlugin, metadata: {name: intel-gpu}, spec: {preset: intel-gpu, image: \"x:v1@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", nodes: [tower]}}"
	w := watchCommand(t, map[string]string{"gpu.yaml": plugin}, "confirm", "gpu.yaml", "--wait", "5m", "-o", "-")
	w.watches(ofConfirm)
	if code := w.interrupt(); code != 2 || w.out.String() != "" || !strings.Contains(w.err.String(), "nothing was written") {
		t.Errorf("exit %d\n%s%s", code, &w.out, &w.err)
	}
}
