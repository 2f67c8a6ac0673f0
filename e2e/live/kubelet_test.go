package live_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/e2e/harness"
)

// dropInTaints lets berth write the drop-ins of an intent and returns the taints that it reads back for a node.
func dropInTaints(t *testing.T, tools harness.Tools, intent, node string) []string {
	t.Helper()
	file := harness.WriteFile(t, "taints.yaml", intent)
	out := filepath.Join(t.TempDir(), "generated")
	empty := harness.WriteFile(t, "render.yaml", `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: default, name: allowed}}`+"\n---\n"+
		`{apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: default, name: denied}}`+"\n")
	if r := tools.RunBerth(t, "", nil, "generate", file, "--from", empty, "-o", out); r.Code != 0 {
		t.Fatalf("berth generate: %s", r.Errors)
	}
	return tools.DropInTaints(t, out, node)
}

// TestANodeThatRegistersAnewHasItsTaintAndNotItsCordon is the motivating case on a real kubelet: a cordon does not survive
// that the Node is deleted and registers again, and the drop-in's taint does.
func TestANodeThatRegistersAnewHasItsTaintAndNotItsCordon(t *testing.T) {
	s := newSite(t)
	s.AddNode(t, "kai-server", nil)
	taints := dropInTaints(t, s.tools, intent, "kai-desktop-tower")
	if fmt.Sprint(taints) != "[berth.dev/wsl=flaky:NoSchedule]" {
		t.Fatalf("the drop-in holds %v", taints)
	}
	file := harness.WriteFile(t, "taints.yaml", intent)
	node := harness.NewNode(t, s.Cluster, "kai-desktop-tower", taints...)
	s.AsK3s(t, node.Name, taints...)
	if !has(s.node(t, node.Name), ours) {
		t.Fatalf("the kubelet registered the node with %v", s.node(t, node.Name).Spec.Taints)
	}
	if r := s.berth(t, 0, "diff", file); !strings.Contains(r.Out, "no drift") {
		t.Errorf("diff after registration:\n%s", r.Out)
	}
	s.berth(t, 0, "apply", file, "--yes") // takes the taint over

	// Somebody untaints it by hand: the kubelet does not mend that, berth apply does.
	s.PatchNode(t, node.Name, `{"spec":{"taints":[]}}`)
	node.RestartKubelet(t)
	s.AsK3s(t, node.Name, taints...)
	if has(s.node(t, node.Name), ours) {
		t.Fatal("a kubelet that restarts put the taint back: the documentation says that it does not")
	}
	if r := s.berth(t, 1, "diff", file); !strings.Contains(r.Out, "[taint-missing]") {
		t.Errorf("diff of an untainted node:\n%s", r.Out)
	}
	s.berth(t, 0, "apply", file, "--yes")
	s.PatchNode(t, node.Name, `{"spec":{"unschedulable":true}}`)

	before := s.node(t, node.Name)
	node.StopKubelet()
	if err := s.client.CoreV1().Nodes().Delete(t.Context(), node.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	node.StartKubelet(t)
	s.AsK3s(t, node.Name, taints...)
	after := s.node(t, node.Name)
	if after.UID == before.UID {
		t.Fatal("the node did not register anew")
	}
	if !has(after, ours) {
		t.Errorf("the taint is lost: %v", after.Spec.Taints)
	}
	if after.Spec.Unschedulable {
		t.Error("the cordon survived: the documentation says that it does not")
	}
	if r := s.berth(t, 0, "diff", file); !strings.Contains(r.Out, "no drift") || strings.Contains(r.Out, "cordoned") {
		t.Errorf("diff after the node registered anew:\n%s", r.Out)
	}
}
