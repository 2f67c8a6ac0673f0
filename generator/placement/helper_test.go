package placement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/stream"
)

// home is an intent with a node for each effect.
const home = `
apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: home}
spec:
  taints:
    - {name: wsl, taint: "berth.dev/wsl=flaky:NoSchedule", reason: r}
    - {name: gpu, taint: "berth.dev/gpu:NoExecute", reason: r}
    - {name: slow, taint: "berth.dev/slow:PreferNoSchedule", reason: r}
  nodes:
    - names: [good, spare]
    - {names: [flaky], taints: [wsl]}
    - {names: [gpu], taints: [gpu]}
    - {names: [slow], taints: [slow]}
`

func intents(t testing.TB, text string) []*v1alpha1.TaintIntent {
	t.Helper()
	if text == "" {
		return nil
	}
	all, err := v1alpha1.ReadTaintIntents("taints.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func items(t testing.TB, file, text string) []*stream.Item {
	t.Helper()
	all, err := stream.ReadDocuments(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(t testing.TB, intent, render, nodes string) *Cluster {
	t.Helper()
	c, err := Read(Input{Intents: intents(t, intent), Render: items(t, "render.yaml", render), Nodes: items(t, "nodes.yaml", nodes)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// verdict decides about the only workload of a cluster on a node.
func verdict(t testing.TB, c *Cluster, node string) Verdict {
	t.Helper()
	if len(c.Workloads) != 1 {
		t.Fatalf("%d workloads, want one", len(c.Workloads))
	}
	for _, n := range c.Nodes {
		if n.Name == node {
			return Decide(c.Workloads[0], n)
		}
	}
	t.Fatalf("no node %s", node)
	return Verdict{}
}

// pods indents a pod spec into an object of a kind.
func podsOf(kind, spec string) string {
	at := map[string]string{
		"Deployment": "apps/v1 spec template spec", "StatefulSet": "apps/v1 spec template spec", "DaemonSet": "apps/v1 spec template spec",
		"Job": "batch/v1 spec template spec", "CronJob": "batch/v1 spec jobTemplate spec template spec", "Pod": "v1 spec",
	}[kind]
	steps := strings.Fields(at)
	out := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: web, namespace: apps}\n", steps[0], kind)
	indent := ""
	for _, step := range steps[1:] {
		out += indent + step + ":\n"
		indent += "  "
	}
	for line := range strings.Lines(strings.Trim(spec, "\n") + "\n") {
		out += indent + line
	}
	return out
}

// states writes the states of the only workload on some nodes, as good=yes flaky=no.
func states(t testing.TB, c *Cluster, nodes ...string) string {
	t.Helper()
	var all []string
	for _, n := range nodes {
		v := verdict(t, c, n)
		all = append(all, n+"="+v.State())
	}
	return strings.Join(all, " ")
}

// codes writes the codes of a verdict's reasons.
func codes(v Verdict) string {
	var all []string
	for _, r := range v.Reasons {
		all = append(all, string(r.Bearing)+":"+r.Code)
	}
	return strings.Join(all, " ")
}
