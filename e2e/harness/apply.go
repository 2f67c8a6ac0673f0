package harness

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
)

// Apply applies one object of YAML, server-side, under a name of the tests.
func Apply(t *testing.T, client dynamic.Interface, text string) {
	t.Helper()
	o := Decode(t, text)
	resource, _ := meta.UnsafeGuessKindToResource(o.GroupVersionKind())
	options := metav1.ApplyOptions{FieldManager: "e2e", Force: true}
	if _, err := client.Resource(resource).Namespace(o.GetNamespace()).Apply(t.Context(), o.GetName(), o, options); err != nil {
		t.Fatalf("applying %s %s: %v", o.GetKind(), o.GetName(), err)
	}
}

// Background calls a function again and again until the test ends. An error is one of the moment, and only the last one is shown, where
// the test has failed.
func Background(t *testing.T, do func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	var last error
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if err := do(ctx); err != nil && ctx.Err() == nil {
				last = err
			}
			select {
			case <-ctx.Done():
			case <-time.After(400 * time.Millisecond):
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		if t.Failed() && last != nil {
			t.Logf("the last error in the background: %v", last)
		}
	})
}
