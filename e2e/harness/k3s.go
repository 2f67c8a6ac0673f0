package harness

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// DropInTaints gives the taints, written key=value:Effect, that berth reads for a node from the drop-ins in a folder that berth generate
// wrote: those with which k3s has the kubelet register it.
func (tools Tools) DropInTaints(t *testing.T, generated, node string) []string {
	t.Helper()
	r := tools.RunBerth(t, "", nil, "k3s", "effective", "--root", generated, "-o", "json")
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

// NodeArgs are the annotations in which k3s writes down with what an agent was started.
func NodeArgs(t *testing.T, taints ...string) map[string]string {
	t.Helper()
	args := []string{"agent"}
	for _, taint := range taints {
		args = append(args, "--node-taint", taint)
	}
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"k3s.io/node-args": string(text)}
}

// AsK3s writes down on a Node with what its agent was started, as k3s does and a bare kubelet does not.
func (c *Cluster) AsK3s(t *testing.T, node string, taints ...string) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": NodeArgs(t, taints...)}})
	if err != nil {
		t.Fatal(err)
	}
	c.PatchNode(t, node, string(patch))
}

// PatchNode changes a Node by a merge patch, as somebody does by hand.
func (c *Cluster) PatchNode(t *testing.T, node, patch string) {
	t.Helper()
	if _, err := c.Core.Nodes().Patch(t.Context(), node, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}
