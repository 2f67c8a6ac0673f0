package live_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

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
	r := tools.RunBerth(t, "", nil, "k3s", "effective", "--root", out, "-o", "json")
	var read struct {
		Nodes []struct {
			Node   string `json:"node"`
			Taints []struct{ Key, Value, Effect string }
		} `json:"nodes"`
	}
	if err := json.Unmarshal([]byte(r.Out), &read); err != nil {
		t.Fatalf("berth k3s effective: %v: %s", err, r.Errors)
	}
	var taints []string
	for _, n := range read.Nodes {
		for _, taint := range n.Taints {
			if n.Node == node {
				taints = append(taints, taint.Key+"="+taint.Value+":"+taint.Effect)
			}
		}
	}
	return taints
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
	s.asK3s(t, taints)
	if !has(s.node(t, node.Name), ours) {
		t.Fatalf("the kubelet registered the node with %v", s.node(t, node.Name).Spec.Taints)
	}
	if r := s.berth(t, 0, "diff", file); !strings.Contains(r.Out, "no drift") {
		t.Errorf("diff after registration:\n%s", r.Out)
	}
	s.berth(t, 0, "apply", file, "--yes") // takes the taint over

	// Somebody untaints it by hand: the kubelet does not mend that, berth apply does.
	s.patch(t, node.Name, `{"spec":{"taints":[]}}`)
	node.RestartKubelet(t)
	s.asK3s(t, taints)
	if has(s.node(t, node.Name), ours) {
		t.Fatal("a kubelet that restarts put the taint back: the documentation says that it does not")
	}
	if r := s.berth(t, 1, "diff", file); !strings.Contains(r.Out, "[taint-missing]") {
		t.Errorf("diff of an untainted node:\n%s", r.Out)
	}
	s.berth(t, 0, "apply", file, "--yes")
	s.patch(t, node.Name, `{"spec":{"unschedulable":true}}`)

	before := s.node(t, node.Name)
	node.StopKubelet()
	if err := s.client.CoreV1().Nodes().Delete(t.Context(), node.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	node.StartKubelet(t)
	s.asK3s(t, taints)
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

// asK3s writes down with what the node was started, as k3s does and a bare kubelet does not.
func (s *site) asK3s(t *testing.T, taints []string) {
	t.Helper()
	args := []string{"agent"}
	for _, taint := range taints {
		args = append(args, "--node-taint", taint)
	}
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]string{"k3s.io/node-args": string(text)}}})
	if err != nil {
		t.Fatal(err)
	}
	s.patch(t, "kai-desktop-tower", string(patch))
}

func (s *site) patch(t *testing.T, node, patch string) {
	t.Helper()
	if _, err := s.client.CoreV1().Nodes().Patch(t.Context(), node, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}
