package live

import (
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
