package placementtest

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	taintKeys   = []string{"a", "b", "c", corev1.TaintNodeNotReady, corev1.TaintNodeDiskPressure, corev1.TaintNodeNetworkUnavailable}
	taintValues = []string{"", "x", "5"}
	effects     = []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute}
	labelKeys   = []string{"disk", "zone", "cores"}
	labelValues = []string{"ssd", "x", "5", "12"}
)

// Resource is the extended resource that some nodes offer and some pods request.
const Resource corev1.ResourceName = "gpu.intel.com/i915"

// Node makes a node as a cluster prints it: all its labels are there.
func Node(r *rand.Rand, name string) *corev1.Node {
	n := &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}}
	n.Name = name
	n.Labels = map[string]string{corev1.LabelHostname: name, corev1.LabelOSStable: "linux"}
	switch r.IntN(8) {
	case 0:
		delete(n.Labels, corev1.LabelHostname)
	case 1:
		n.Labels[corev1.LabelHostname] = "host-of-" + name
	}
	for _, key := range labelKeys {
		if r.IntN(3) > 0 {
			n.Labels[key] = pick(r, labelValues)
		}
	}
	for range r.IntN(4) {
		addTaint(n, corev1.Taint{Key: pick(r, taintKeys), Value: pick(r, taintValues), Effect: pick(r, effects)})
	}
	if r.IntN(5) == 0 {
		n.Spec.Unschedulable = true
		if r.IntN(4) > 0 { // the taint follows a moment later
			addTaint(n, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
		}
	}
	n.Status.NodeInfo.KubeletVersion = "v1.36.3"
	n.Status.Allocatable = corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse(pick(r, []string{"10", "100000"})), corev1.ResourceMemory: resource.MustParse("4Gi"),
		corev1.ResourcePods: resource.MustParse("10000"),
	}
	if r.IntN(2) == 0 {
		n.Status.Allocatable[Resource] = resource.MustParse(pick(r, []string{"0", "1000", "1000000"}))
	}
	n.Status.Capacity = n.Status.Allocatable
	return n
}

// addTaint leaves out what the API refuses: a key and effect that are there already.
func addTaint(n *corev1.Node, taint corev1.Taint) {
	for _, has := range n.Spec.Taints {
		if has.MatchTaint(&taint) {
			return
		}
	}
	n.Spec.Taints = append(n.Spec.Taints, taint)
}

// Names returns n names of nodes, the first ones of which pods may name.
func Names(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("node-%03d", i)
	}
	return names
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }
