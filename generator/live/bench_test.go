package live

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkDiffOfAHugeCluster reads and compares 500 nodes, nearly all of them tainted, with 5,000 pods of 1,000 Deployments.
func BenchmarkDiffOfAHugeCluster(b *testing.B) {
	const nodes, makers, podsEach = 500, 1000, 5
	var cluster, names strings.Builder
	for i := range nodes {
		fmt.Fprintf(&cluster, "---\n{apiVersion: v1, kind: Node, metadata: {name: node-%03d}, status: {allocatable: {cpu: 4}}}\n", i)
		if i > 0 {
			fmt.Fprintf(&names, "node-%03d, ", i)
		}
	}
	for i := range makers {
		name := fmt.Sprintf("web-%04d", i)
		fmt.Fprintf(&cluster, "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: %s}, spec: {template: {spec: {containers: [{name: c, image: x}]}}}}\n", name)
		fmt.Fprintf(&cluster, "---\n{apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: shop, name: %s-1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: %s, uid: a}]}}\n", name, name)
		for n := range podsEach {
			fmt.Fprintf(&cluster, "---\n{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: %s-1-%d, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: %s-1, uid: a}]}, spec: {nodeName: node-%03d, containers: [{name: c, image: x}]}}\n",
				name, n, name, (i*podsEach+n)%nodes)
		}
	}
	server, connection := serve(b, cluster.String())
	defer server.Close()
	intents := readIntentsOf(b, strings.NewReplacer("[kai-server]", "[node-000]", "[kai-desktop-tower]", "["+strings.TrimSuffix(names.String(), ", ")+"]").Replace(home))
	snapshot, err := connection.Read(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) { // with what the server does for it
		b.ReportAllocs()
		for b.Loop() {
			if _, err := connection.Read(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("compare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if diff := Compare(snapshot, intents); len(diff.Nodes) != nodes {
				b.Fatal("not all nodes")
			}
		}
	})
}
