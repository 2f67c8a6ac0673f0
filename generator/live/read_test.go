package live

import (
	"fmt"
	"strings"
	"testing"
	"time"
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

func TestPagesThatTookTooLongAreReadAtOnce(t *testing.T) {
	var b strings.Builder
	for i := range pageSize + 3 {
		fmt.Fprintf(&b, "---\n{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: pod-%04d}}\n", i)
	}
	server, cluster := serve(t, b.String())
	server.ShortPages = 1
	snapshot, err := cluster.Read(t.Context())
	if err != nil || len(snapshot.Pods) != pageSize+3 {
		t.Errorf("got %v", err)
	}
}

func TestAServerThatIsBusyIsAskedAgain(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	server.Busy = 3
	server.GoAway(3)
	snapshot, err := cluster.Read(t.Context())
	if err != nil || len(snapshot.Nodes) != 2 {
		t.Errorf("got %v", err)
	}
	cluster.Retry.Patience = 20 * time.Millisecond
	server.Busy = 100000
	if _, err = cluster.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "gave up after") || !strings.Contains(err.Error(), "too many requests") {
		t.Errorf("got %v", err)
	}
}
