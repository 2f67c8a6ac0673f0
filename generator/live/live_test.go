package live

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/live/livetest"
)

// home is the intent of most tests: one default home and one node with a taint.
const home = `
apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: home}
spec:
  taints:
    - {name: wsl, taint: "berth.dev/wsl=flaky:NoSchedule", reason: flaky}
  nodes:
    - names: [kai-server]
    - names: [kai-desktop-tower]
      taints: [wsl]
  allow:
    - workload: {kind: DaemonSet, namespace: observability, name: node-exporter}
      tolerate: [wsl]
      reason: metrics
`

// homeNodes are the nodes of the intent home, as k3s registers them without a drop-in.
const homeNodes = `
apiVersion: v1
kind: Node
metadata: {name: kai-server}
---
apiVersion: v1
kind: Node
metadata: {name: kai-desktop-tower}
`

func readIntentsOf(t testing.TB, text string) []*v1alpha1.TaintIntent {
	t.Helper()
	intents, err := v1alpha1.ReadTaintIntents("taints.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return intents
}

func serve(t testing.TB, documents string) (*livetest.Server, *Cluster) {
	t.Helper()
	server, err := livetest.New(documents)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	cluster, err := Connect(&rest.Config{Host: server.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	cluster.Rewatch = Retry{First: time.Millisecond, Longest: 20 * time.Millisecond}
	cluster.Retry = Retry{First: time.Millisecond, Longest: 4 * time.Millisecond, Patience: 5 * time.Second}
	return server, cluster
}

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}

// plan reads the cluster and plans.
func plan(t *testing.T, c *Cluster, intents string, options PlanOptions) *Plan {
	t.Helper()
	snapshot, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(snapshot, readIntentsOf(t, intents), options)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// applied plans and applies, and returns how many steps the plan had.
func applied(t *testing.T, c *Cluster, intents string, options PlanOptions) int {
	t.Helper()
	p := plan(t, c, intents, options)
	if err := c.DryRun(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(t.Context(), p, func(Event) {}); err != nil {
		t.Fatal(err)
	}
	return len(p.Steps)
}

// specOf returns a node's spec and our annotation, as YAML.
func specOf(t *testing.T, s *livetest.Server, name string) string {
	t.Helper()
	node := s.Node(name)
	shown := map[string]any{"spec": node.Object["spec"]}
	if text := node.GetAnnotations()[Annotation]; text != "" {
		shown["owned"] = text
	}
	if labels := node.GetLabels(); len(labels) > 0 {
		shown["labels"] = labels
	}
	text, err := yaml.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
