package world

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// runPods does a kubelet's part for every pod that the scheduler has placed on a node without one.
func (w *World) runPods(ctx context.Context) error {
	bare, err := w.bareNodes(ctx)
	if err != nil {
		return err
	}
	pods, err := w.typed.CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName!="})
	if err != nil {
		return err
	}
	for i := range pods.Items {
		if !bare[pods.Items[i].Spec.NodeName] {
			continue
		}
		if err := w.runPod(ctx, &pods.Items[i]); err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	return nil
}

// bareNodes are those that no kubelet stands behind: it would have said its version.
func (w *World) bareNodes(ctx context.Context) (map[string]bool, error) {
	nodes, err := w.typed.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	bare := map[string]bool{}
	for _, node := range nodes.Items {
		bare[node.Name] = node.Status.NodeInfo.KubeletVersion == ""
	}
	return bare, nil
}

func (w *World) runPod(ctx context.Context, pod *corev1.Pod) error {
	client := w.typed.CoreV1().Pods(pod.Namespace)
	if pod.DeletionTimestamp != nil {
		now := int64(0)
		return client.Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
	}
	if pod.Status.Phase == corev1.PodRunning || slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Image == NeverReady }) {
		return nil
	}
	now := metav1.Now()
	pod.Status.Phase, pod.Status.StartTime = corev1.PodRunning, &now
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	for _, c := range pod.Spec.Containers {
		started := true
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, Ready: true, Started: &started, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
	_, err := client.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return err
}
