package world

import (
	"context"
	"errors"
	"testing"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-dev/berth/e2e/harness"
)

// World acts on a cluster as its missing parts would.
type World struct {
	client  dynamic.Interface
	typed   *kubernetes.Clientset
	present map[string]bool // CRDs that were made
}

// Start lets the world turn until the test ends. The kind HelmRelease is there from the start, as Flux is.
func Start(t *testing.T, c *harness.Cluster) *World {
	t.Helper()
	w := &World{present: map[string]bool{}}
	var err error
	if w.client, err = dynamic.NewForConfig(c.Config); err != nil {
		t.Fatal(err)
	}
	if w.typed, err = kubernetes.NewForConfig(c.Config); err != nil {
		t.Fatal(err)
	}
	if err := w.bring(t.Context(), helmReleases); err != nil {
		t.Fatal(err)
	}
	harness.Background(t, w.turn)
	return w
}

// turn does everything that can be done now. One part's error keeps no other from its work.
func (w *World) turn(ctx context.Context) error {
	return errors.Join(w.runPods(ctx), w.provision(ctx), w.release(ctx), w.operate(ctx))
}
