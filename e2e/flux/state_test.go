package flux_test

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/berth-dev/berth/e2e/harness"
)

// state is what the controller says of a Kustomization.
type state struct {
	ready           bool   // at the newest revision of its source
	attempted       bool   // the newest revision was built
	reason, message string // of the condition Ready
	progress        string
	applied, newest string
}

// stateOf reads a Kustomization's status.
func (s *site) stateOf(o *unstructured.Unstructured) state {
	text := func(fields ...string) string {
		value, _, _ := unstructured.NestedString(o.Object, fields...)
		return value
	}
	newest := s.newest[cmp.Or(text("spec", "sourceRef", "namespace"), o.GetNamespace())+"/"+text("spec", "sourceRef", "name")]
	ready, working := harness.Condition(o, "Ready"), harness.Condition(o, "Reconciling")
	st := state{applied: text("status", "lastAppliedRevision"), newest: newest}
	st.reason, _ = ready["reason"].(string)
	st.message, _ = ready["message"].(string)
	st.progress, _ = working["message"].(string)
	st.ready = harness.IsReady(o) && st.applied == newest
	st.attempted = text("status", "lastAttemptedRevision") == newest
	return st
}

// states asks for all of them, at a pace that leaves the machine to those who work.
func (s *site) states(ctx context.Context) (map[string]state, error) {
	time.Sleep(400 * time.Millisecond)
	list, err := s.Client.Resource(harness.Kustomizations).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	all := map[string]state{}
	for i := range list.Items {
		o := &list.Items[i]
		all[o.GetNamespace()+"/"+o.GetName()] = s.stateOf(o)
	}
	return all, nil
}

var dependency = regexp.MustCompile(`^dependency '([^']+)'`)

// settled says why things may still move: nil when each Kustomization but the broken one is ready at the newest revision, or waits for
// one that is not; and the broken one has come to where it stays. It is a proof, not a guess from how long nothing moved: every
// Kustomization that is not ready waits for another one, and the last one of each such chain is the broken one.
func settled(all map[string]state, broken string) error {
	for name, st := range all {
		if st.ready {
			continue
		}
		if name == broken {
			if !st.attempted || st.reason == "Progressing" && !strings.HasPrefix(st.progress, "Running health checks for revision "+st.newest) {
				return fmt.Errorf("%s is under way: %+v", name, st)
			}
			continue
		}
		match := dependency.FindStringSubmatch(st.message)
		if st.reason != "DependencyNotReady" || match == nil || all[match[1]].ready {
			return fmt.Errorf("%s is under way: %+v", name, st)
		}
	}
	if st, ok := all[broken]; broken != "" && (!ok || st.ready) {
		return fmt.Errorf("%s is not broken yet: %+v", broken, st)
	}
	return nil
}

// settle waits until nothing moves any more, and returns what is not ready then. broken is "" where nothing is.
func (s *site) settle(t *testing.T, broken string, count int) []string {
	t.Helper()
	var stuck []string
	harness.Eventually(t, 4*time.Minute, func() error {
		all, err := s.states(t.Context())
		if err != nil {
			return err
		}
		if len(all) < count {
			return fmt.Errorf("there are %d Kustomizations, want %d: %v", len(all), count, all)
		}
		stuck = stuck[:0]
		for name, st := range all {
			if !st.ready {
				stuck = append(stuck, name)
			}
		}
		slices.Sort(stuck)
		return settled(all, broken)
	})
	return stuck
}
