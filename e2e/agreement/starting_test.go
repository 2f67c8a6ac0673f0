package agreement_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-dev/berth/e2e/harness"
	"github.com/berth-dev/berth/generator/placement/placementtest"
)

// start makes new pods of all workloads. Those of a Deployment are made from its template, as its ReplicaSet makes them, but
// one for each node and held to it.
func (c *cluster) start(t *testing.T, all *table, workloads []*workload) {
	t.Helper()
	daemons := daemonsOf(workloads)
	inParallel(t, len(daemons), func(ctx context.Context, i int) error {
		return c.daemonSet(ctx, daemons[i], daemons[i].name, daemons[i].spec)
	})
	var pods []*corev1.Pod
	for _, w := range workloads {
		switch {
		case w.daemon():
		case w.spec.NodeName != "":
			pods = append(pods, podOf(w, w.name, w.spec))
		default:
			for _, node := range all.nodes {
				spec := *w.spec.DeepCopy()
				placementtest.Pin(&spec, node.Name)
				pods = append(pods, podOf(w, w.name+"-"+node.Name, spec))
			}
		}
	}
	c.create(t, pods)
}

func podOf(w *workload, name string, spec corev1.PodSpec) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels.Set{labelApp: w.name}}, Spec: spec}
}

// decided waits until each new pod of the workloads is on a node, or was told that it cannot be on one, and until the
// DaemonSet controller made the pods that it wants to make.
func (c *cluster) decided(t *testing.T, workloads []*workload) {
	t.Helper()
	for _, w := range workloads {
		harness.Eventually(t, patience, func() error {
			pods := c.podsOf(t, labelApp, w.name)
			for _, pod := range pods {
				if pod.Spec.NodeName == "" && !unschedulable(pod) {
					return fmt.Errorf("pod %s waits for the scheduler", pod.Name)
				}
			}
			if w.daemon() {
				return c.complete(t, w, pods)
			}
			return nil
		})
	}
}

func unschedulable(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(p corev1.PodCondition) bool {
		return p.Type == corev1.PodScheduled && p.Status == corev1.ConditionFalse && p.Reason == corev1.PodReasonUnschedulable
	})
}

// complete says whether a DaemonSet has a pod for each node on which its controller wants one.
func (c *cluster) complete(t *testing.T, w *workload, pods []*corev1.Pod) error {
	t.Helper()
	set, err := c.client.AppsV1().DaemonSets(placementtest.Namespace).Get(t.Context(), w.name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	nodes := map[string]bool{}
	for _, pod := range pods {
		nodes[meantFor(pod)] = true
	}
	if want := int(set.Status.DesiredNumberScheduled); set.Status.ObservedGeneration < set.Generation || len(nodes) != want {
		return fmt.Errorf("DaemonSet %s has pods for %d nodes, and wants them for %d", w.name, len(nodes), want)
	}
	return nil
}

// meantFor is the node to which a pod is held.
func meantFor(pod *corev1.Pod) string {
	if pod.Spec.NodeName != "" {
		return pod.Spec.NodeName
	}
	for _, term := range pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		if n := len(term.MatchFields); n > 0 {
			return term.MatchFields[n-1].Values[0]
		}
	}
	return ""
}

// starts says whether a new pod of a workload came to a node.
func (c *cluster) starts(t *testing.T, w *workload, node string) bool {
	t.Helper()
	return slices.ContainsFunc(c.podsOf(t, labelApp, w.name), func(pod *corev1.Pod) bool { return pod.Spec.NodeName == node })
}
