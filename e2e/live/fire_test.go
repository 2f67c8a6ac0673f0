package live_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"

	"github.com/berth-dev/berth/e2e/harness"
)

const (
	writers = 20
	runs    = 200
)

// writer is a controller that adds and removes a taint of its own, and notices when somebody else does.
type writer struct {
	client *kubernetes.Clientset
	taint  corev1.Taint
	there  bool
	writes int
}

// TestApplyUnderFire runs berth apply again and again, with two intents in turn, while 20 writers change the taints of the
// same node, and kills the API server in the middle. Every writer checks before each of its writes that its taint is
// still as it left it: nothing foreign is lost, nor brought back.
func TestApplyUnderFire(t *testing.T) {
	s := newSite(t)
	s.AddNode(t, "kai-server", nil)
	s.AddNode(t, "kai-desktop-tower", nil, corev1.Taint{Key: "example.com/steady", Value: "x", Effect: corev1.TaintEffectNoExecute})
	with := harness.WriteFile(t, "taints.yaml", intent)
	without := harness.WriteFile(t, "taints.yaml", strings.Replace(intent, "      taints: [wsl]\n", "", 1))

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all []*writer
	var group sync.WaitGroup
	for i := range writers {
		w := &writer{client: s.unlimited(t), taint: corev1.Taint{Key: fmt.Sprintf("example.com/writer-%d", i), Effect: corev1.TaintEffectPreferNoSchedule}}
		all = append(all, w)
		group.Go(func() { w.run(ctx, t) })
	}
	began := time.Now()
	for i := range runs {
		if i == runs/2 {
			s.RestartAPI(t)
			s.WaitReady(t)
		}
		s.berth(t, 0, "apply", []string{with, without}[i%2], "--yes")
	}
	s.berth(t, 0, "apply", with, "--yes")
	took := time.Since(began)
	stop()
	group.Wait()
	s.afterFire(t, all, took)
}

// unlimited returns a client of its own, so that writers do not wait for each other.
func (s *site) unlimited(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	config := rest.CopyConfig(s.Config)
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (w *writer) run(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil {
		if err := w.toggle(ctx); err != nil {
			t.Errorf("%v", err)
			return
		}
		time.Sleep(time.Duration(20+rand.IntN(80)) * time.Millisecond)
	}
}

// toggle changes the taint. It waits for a server that is away; an update whose answer was lost is looked up.
func (w *writer) toggle(ctx context.Context) error {
	nodes := w.client.CoreV1().Nodes()
	unsure := false
	var lost error
	err := retry.OnError(wait.Backoff{Duration: 10 * time.Millisecond, Factor: 1, Jitter: 2, Steps: 3000},
		func(error) bool { return lost == nil }, func() error {
			node, err := nodes.Get(context.WithoutCancel(ctx), "kai-desktop-tower", metav1.GetOptions{})
			if err != nil {
				return err
			}
			i := slices.IndexFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&w.taint) })
			if (i >= 0) != w.there {
				if unsure {
					w.there = !w.there
					return nil
				}
				lost = fmt.Errorf("after %d writes the taint %s is there: %t, and it was left: %t", w.writes, w.taint.Key, i >= 0, w.there)
				return lost
			}
			if w.there {
				node.Spec.Taints = slices.Delete(node.Spec.Taints, i, i+1)
			} else {
				node.Spec.Taints = append(node.Spec.Taints, w.taint)
			}
			if _, err = nodes.Update(context.WithoutCancel(ctx), node, metav1.UpdateOptions{}); err == nil {
				w.there = !w.there
				w.writes++
			} else if !isConflict(err) {
				unsure = true
			}
			return err
		})
	if lost != nil {
		return lost
	}
	return err
}

func (s *site) afterFire(t *testing.T, all []*writer, took time.Duration) {
	t.Helper()
	node := s.node(t, "kai-desktop-tower")
	if !has(node, ours) {
		t.Error("our taint is lost")
	}
	if !has(node, corev1.Taint{Key: "example.com/steady", Value: "x", Effect: corev1.TaintEffectNoExecute}) {
		t.Error("the taint that nobody touched is lost")
	}
	writes, want := 0, 2
	for _, w := range all {
		if w.there {
			want++
		}
		if has(node, w.taint) != w.there {
			t.Errorf("%s is there: %t, want %t", w.taint.Key, !w.there, w.there)
		}
		writes += w.writes
		if w.writes == 0 {
			t.Errorf("%s never wrote: it was no fire", w.taint.Key)
		}
	}
	foreign := slices.DeleteFunc(slices.Clone(node.Spec.Taints), func(t corev1.Taint) bool { return strings.HasPrefix(t.Key, "node.kubernetes.io/") })
	if len(foreign) != want {
		t.Errorf("the node has %d taints, want %d: %v", len(foreign), want, foreign)
	}
	if got := node.Annotations["berth.dev/owned"]; got != `{"home":{"taints":["berth.dev/wsl:NoSchedule"]}}` {
		t.Errorf("the annotation is %q", got)
	}
	t.Logf("%d runs of berth apply in %v among %d writes of %d others", runs, took.Round(time.Millisecond), writes, len(all))
}
