package placementtest

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// conditionOf holds the conditions for which the node lifecycle controller writes NoSchedule taints: it takes such a taint
// off where the condition does not hold.
var conditionOf = map[string]corev1.NodeConditionType{
	corev1.TaintNodeDiskPressure: corev1.NodeDiskPressure, corev1.TaintNodeNetworkUnavailable: corev1.NodeNetworkUnavailable,
}

// Settle gives a node the conditions that its taints come with, and the taints that its conditions and its cordon bring,
// so that the controllers of a running cluster change nothing of it.
func Settle(n *corev1.Node) {
	now := metav1.Now()
	ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "Test", LastHeartbeatTime: now, LastTransitionTime: now}
	for i := range n.Spec.Taints {
		t := &n.Spec.Taints[i]
		kind, found := conditionOf[t.Key]
		switch {
		case t.Key == corev1.TaintNodeNotReady && t.Effect != corev1.TaintEffectPreferNoSchedule:
			ready.Status, t.Value = corev1.ConditionFalse, ""
		case found && t.Effect == corev1.TaintEffectNoSchedule:
			t.Value = "" // as the controller writes it
			n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: kind, Status: corev1.ConditionTrue, Reason: "Test", LastHeartbeatTime: now, LastTransitionTime: now})
		}
	}
	if ready.Status == corev1.ConditionFalse {
		addTaint(n, corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule})
		addTaint(n, corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute})
	}
	if n.Spec.Unschedulable {
		addTaint(n, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
	}
	n.Status.Conditions = append(n.Status.Conditions, ready)
}
