package placement_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/placement"
	"github.com/berth-dev/berth/generator/stream"
)

// The sizes of the benchmark: a large cluster, and a render to match.
const (
	manyWorkloads = 2000
	manyNodes     = 500
)

// largeIntent taints some of the nodes in five ways.
func largeIntent() string {
	var b strings.Builder
	b.WriteString("apiVersion: berth.dev/v1alpha1\nkind: TaintIntent\nmetadata: {name: large}\nspec:\n  taints:\n")
	for i, effect := range []string{"NoSchedule", "NoExecute", "PreferNoSchedule", "NoSchedule"} {
		fmt.Fprintf(&b, "    - {name: t%d, taint: \"example.com/t%d=x:%s\", reason: r}\n", i, i, effect)
	}
	b.WriteString("  nodes:\n")
	for group, taints := range []string{"", "t0", "t1", "t0, t2", "t3"} {
		var names []string
		for i := range manyNodes / 5 {
			names = append(names, fmt.Sprintf("node-%d-%03d", group, i))
		}
		fmt.Fprintf(&b, "    - {names: [%s], taints: [%s]}\n", strings.Join(names, ", "), taints)
	}
	return b.String()
}

// largeRender has workloads of many shapes. Each ninth names a node of its own, which no other can share.
func largeRender() string {
	shapes := []string{
		"containers: []",
		"tolerations: [{operator: Exists, effect: NoSchedule}]",
		"tolerations: [{key: example.com/t0, value: x, effect: NoSchedule}]",
		"tolerations: [{key: example.com/t1, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]",
		"nodeSelector: {disk: ssd}",
		"nodeSelector: {kubernetes.io/os: linux}",
		"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a, b]}]}]}}}",
		"containers: [{name: a, resources: {limits: {example.com/gpu: 1}}}]",
		"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: NotIn, values: [node-%d-%03d]}]}]}}}",
	}
	var b strings.Builder
	for i := range manyWorkloads {
		kind, shape := "Deployment", shapes[i%len(shapes)]
		if i%4 == 0 {
			kind = "DaemonSet"
		}
		if strings.Contains(shape, "%d") {
			shape = fmt.Sprintf(shape, i%5, i/5%(manyNodes/5))
		}
		fmt.Fprintf(&b, "---\napiVersion: apps/v1\nkind: %s\nmetadata: {name: w%d, namespace: n%d}\nspec:\n  template:\n    spec:\n      %s\n", kind, i, i%20, shape)
	}
	return b.String()
}

func large(b *testing.B) placement.Input {
	b.Helper()
	intents, err := v1alpha1.ReadTaintIntents("taints.yaml", []byte(largeIntent()))
	if err != nil {
		b.Fatal(err)
	}
	items, err := stream.ReadDocuments("render.yaml", []byte(largeRender()))
	if err != nil {
		b.Fatal(err)
	}
	return placement.Input{Intents: intents, Render: items}
}

func largeCluster(b *testing.B) *placement.Cluster {
	b.Helper()
	c, err := placement.Read(large(b))
	if err != nil {
		b.Fatal(err)
	}
	if len(c.Workloads) != manyWorkloads || len(c.Nodes) != manyNodes {
		b.Fatalf("%d workloads, %d nodes", len(c.Workloads), len(c.Nodes))
	}
	return c
}

// BenchmarkRead turns items into workloads and nodes.
func BenchmarkRead(b *testing.B) {
	in := large(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := placement.Read(in); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMatrix decides about all pairs together.
func BenchmarkMatrix(b *testing.B) {
	c := largeCluster(b)
	b.ReportAllocs()
	for b.Loop() {
		placement.NewMatrix(c)
	}
}

// BenchmarkPairs is what anybody would write first: the loop over all pairs, each with its verdict kept.
func BenchmarkPairs(b *testing.B) {
	c := largeCluster(b)
	b.ReportAllocs()
	for b.Loop() {
		all := make([][]placement.Verdict, len(c.Workloads))
		for w := range c.Workloads {
			all[w] = make([]placement.Verdict, len(c.Nodes))
			for n := range c.Nodes {
				all[w][n] = placement.Decide(c.Workloads[w], c.Nodes[n])
			}
		}
	}
}
