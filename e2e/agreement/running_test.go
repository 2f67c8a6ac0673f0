package agreement_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/util/retry"

	"github.com/berth-dev/berth/e2e/harness"
	"github.com/berth-dev/berth/generator/placement/placementtest"
)

// The labels by which the pods of a pair are found. DaemonSets have running pods of their own, under another name.
const (
	labelRuns  = "runs"
	labelGuard = "guard"
	labelApp   = "app"
	running    = "-run"
)

// startRunning makes a pod of each workload on each node, while nothing keeps one away: those of DaemonSets by a DaemonSet
// without a selector, the others by naming their node. They request nothing, so that they are in nobody's way. Beside them
// is a guard on each node that will evict.
func (c *cluster) startRunning(t *testing.T, all *table, workloads []*workload) {
	t.Helper()
	daemons := daemonsOf(workloads)
	inParallel(t, len(daemons), func(ctx context.Context, i int) error {
		return c.daemonSet(ctx, daemons[i], daemons[i].name+running, withoutPlace(daemons[i].spec))
	})
	var pods []*corev1.Pod
	for _, w := range workloads {
		if w.daemon() {
			continue
		}
		for _, node := range all.nodes {
			if w.spec.NodeName == "" || w.spec.NodeName == node.Name {
				pods = append(pods, podAt(w.name+running, node.Name, labels.Set{labelRuns: w.name}, w.spec))
			}
		}
	}
	c.create(t, append(pods, guards(all.nodes)...))
	for _, w := range daemons {
		c.everywhere(t, w, len(all.nodes))
	}
}

func daemonsOf(workloads []*workload) []*workload {
	return slices.DeleteFunc(slices.Clone(workloads), func(w *workload) bool { return !w.daemon() })
}

func podAt(name, node string, set labels.Set, spec corev1.PodSpec) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name + "-" + node, Labels: set}, Spec: withoutRequests(spec)}
	pod.Spec.NodeName = node
	return pod
}

// guards are pods that are evicted some time after the last one whose toleration ends soon: when they are gone, what else
// had to go is gone too.
func guards(nodes []*corev1.Node) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, node := range nodes {
		if !evicts(node) {
			continue
		}
		spec := corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "x"}}, Tolerations: []corev1.Toleration{
			{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(placementtest.Soon + 4))},
		}}
		pods = append(pods, podAt(labelGuard, node.Name, labels.Set{labelGuard: "x"}, spec))
	}
	return pods
}

func evicts(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.Effect == corev1.TaintEffectNoExecute })
}

// withoutPlace leaves of a pod only what it tolerates, so that it runs on every node without taints.
func withoutPlace(spec corev1.PodSpec) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "x"}}, Tolerations: spec.Tolerations, HostNetwork: spec.HostNetwork}
}

// daemonSet makes the DaemonSet of a workload, under a name. It replaces no pod by itself.
func (c *cluster) daemonSet(ctx context.Context, w *workload, name string, spec corev1.PodSpec) error {
	set, err := as[appsv1.DaemonSet](w.object(name, spec))
	if err != nil {
		return err
	}
	set.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
	if _, err := c.client.AppsV1().DaemonSets(placementtest.Namespace).Create(ctx, set, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("%w\n%s", err, show(set))
	}
	return nil
}

func (c *cluster) everywhere(t *testing.T, w *workload, nodes int) {
	t.Helper()
	harness.Eventually(t, patience, func() error {
		at := map[string]bool{}
		for _, pod := range c.podsOf(t, labelApp, w.name+running) {
			at[pod.Spec.NodeName] = pod.Spec.NodeName != ""
		}
		if delete(at, ""); len(at) != nodes {
			return fmt.Errorf("DaemonSet %s runs on %d nodes of %d", w.name, len(at), nodes)
		}
		return nil
	})
}

// place gives the running DaemonSets the selector and the affinity of the table: the controller removes pods where they do
// not match. It waits until the controller has seen that.
func (c *cluster) place(t *testing.T, workloads []*workload) {
	t.Helper()
	daemons := daemonsOf(workloads)
	generations := make([]int64, len(daemons))
	inParallel(t, len(daemons), func(ctx context.Context, i int) (err error) {
		generations[i], err = c.replaceTemplate(ctx, daemons[i])
		return err
	})
	for i, w := range daemons {
		harness.Eventually(t, patience, func() error {
			set, err := c.client.AppsV1().DaemonSets(placementtest.Namespace).Get(t.Context(), w.name+running, metav1.GetOptions{})
			if err == nil && set.Status.ObservedGeneration < generations[i] {
				err = fmt.Errorf("DaemonSet %s: its controller has not seen the change", w.name)
			}
			return err
		})
	}
}

// replaceTemplate gives a running DaemonSet its whole pod spec, and returns its generation from then on.
func (c *cluster) replaceTemplate(ctx context.Context, w *workload) (generation int64, err error) {
	api := c.client.AppsV1().DaemonSets(placementtest.Namespace)
	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		set, err := api.Get(ctx, w.name+running, metav1.GetOptions{})
		if err != nil {
			return err
		}
		set.Spec.Template.Spec = *w.spec.DeepCopy()
		if set, err = api.Update(ctx, set, metav1.UpdateOptions{}); err == nil {
			generation = set.Generation
		}
		return err
	})
	return generation, err
}

// fate is what happened to a pod.
type fate struct {
	gone    bool
	after   time.Duration // since the taints came
	byTaint bool          // the taint eviction controller deleted it
}

func (f fate) String() string {
	switch {
	case !f.gone:
		return "stays"
	case f.byTaint:
		return fmt.Sprintf("is evicted after %.0f s", f.after.Seconds())
	}
	return "is deleted, and not for a taint"
}

// fateOf looks at the first pod of a workload on a node.
func (c *cluster) fateOf(t *testing.T, w *workload, node string, began time.Time) (fate, error) {
	t.Helper()
	label, value := labelRuns, w.name
	if w.daemon() {
		label, value = labelApp, w.name+running
	}
	var first *corev1.Pod
	for _, pod := range c.podsOf(t, label, value) {
		if pod.Spec.NodeName == node && (first == nil || pod.CreationTimestamp.Before(&first.CreationTimestamp)) {
			first = pod
		}
	}
	switch {
	case first == nil:
		return fate{}, fmt.Errorf("no pod of %s runs on %s", w.name, node)
	case first.DeletionTimestamp == nil:
		return fate{}, nil
	}
	deleted := first.DeletionTimestamp.Add(-time.Duration(*first.DeletionGracePeriodSeconds) * time.Second)
	byTaint := slices.ContainsFunc(first.Status.Conditions, func(p corev1.PodCondition) bool {
		return p.Type == corev1.DisruptionTarget && p.Reason == "DeletionByTaintManager"
	})
	return fate{gone: true, after: deleted.Sub(began), byTaint: byTaint}, nil
}

// guardsGone waits until every guard is evicted.
func (c *cluster) guardsGone(t *testing.T) {
	t.Helper()
	harness.Eventually(t, patience, func() error {
		for _, pod := range c.podsOf(t, labelGuard, "x") {
			if pod.DeletionTimestamp == nil {
				return fmt.Errorf("%s is not evicted", pod.Name)
			}
		}
		return nil
	})
}
