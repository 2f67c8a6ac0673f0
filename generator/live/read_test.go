package live

import (
	"fmt"
	"strings"
	"testing"
)

func TestAClusterIsReadInPages(t *testing.T) {
	var b strings.Builder
	for i := range 2*pageSize + 3 {
		fmt.Fprintf(&b, "---\n{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: pod-%04d}}\n", i)
	}
	_, cluster := serve(t, b.String())
	snapshot, err := cluster.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(snapshot.Pods) != 2*pageSize+3 || snapshot.Pods[2*pageSize+2].Name != "pod-1002" {
		t.Errorf("read %d pods", len(snapshot.Pods))
	}
}
