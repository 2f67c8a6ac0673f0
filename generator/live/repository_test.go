package live

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/stream"
)

func TestAVariableOfFluxDoesNotHideTheRestOfAWorkload(t *testing.T) {
	items, err := stream.ReadDocuments("apps.yaml", []byte(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: web}
spec:
  replicas: ${REPLICAS}
  template:
    spec:
      nodeSelector: {kubernetes.io/hostname: a}
      containers: [{name: c, image: "web:${TAG}"}]
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := FromRender(items, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Workloads) != 1 || len(s.Nodes) != 1 || s.Nodes[0].Name != "a" {
		t.Errorf("%d workloads, nodes %v", len(s.Workloads), s.Nodes)
	}
	node, err := items[0].Node()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := node.String(); got == "" || node.Field("spec").Value.Field("replicas") == nil {
		t.Errorf("the render itself was changed:\n%s", got)
	}
}

func TestListsAreOpened(t *testing.T) {
	items, err := stream.ReadDocuments("all.yaml", []byte(`apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: b}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
- {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}}
---
apiVersion: v1
kind: NodeList
items:
- metadata: {name: a}
---
apiVersion: apps/v1
kind: DaemonSetList
items:
---
apiVersion: example.com/v1
kind: AccessList
items: {a: b}
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := FromRender(items, nil)
	if err != nil || len(s.Nodes) != 2 || s.Nodes[0].Name != "a" || len(s.Workloads) != 1 {
		t.Errorf("%d nodes, %d workloads, %v", len(s.Nodes), len(s.Workloads), err)
	}
}

func TestAFaultInAListNamesTheItem(t *testing.T) {
	items, err := stream.ReadDocuments("all.yaml", []byte("apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: a}\n- {metadata: {name: b}, spec: {taints: x}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FromRender(items, nil); err == nil || !strings.Contains(err.Error(), "items[1]: Node b: the API would refuse it") {
		t.Errorf("got %v", err)
	}
}
