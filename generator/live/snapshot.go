package live

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Snapshot is what was read of a cluster. Everything in it is sorted by namespace and name.
type Snapshot struct {
	Server    string
	Nodes     []corev1.Node
	Pods      []corev1.Pod
	Volumes   []corev1.PersistentVolume
	Workloads []Workload
}

// Read reads a cluster. It needs the right to list nodes, pods, persistentvolumes and the workloads of apps and batch.
func (c *Cluster) Read(ctx context.Context) (*Snapshot, error) { return c.read(ctx, Everything) }

func (s *Snapshot) sort() {
	slices.SortFunc(s.Nodes, func(a, b corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Pods, func(a, b corev1.Pod) int { return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name) })
	slices.SortFunc(s.Volumes, func(a, b corev1.PersistentVolume) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Workloads, func(a, b Workload) int { return strings.Compare(a.String(), b.String()) })
}

// node returns a node of the cluster, or nil.
func (s *Snapshot) node(name string) *corev1.Node {
	for i := range s.Nodes {
		if s.Nodes[i].Name == name {
			return &s.Nodes[i]
		}
	}
	return nil
}

// podsOn returns the pods that run on a node and that a taint is about.
func (s *Snapshot) podsOn(node string) []*corev1.Pod {
	var all []*corev1.Pod
	for i := range s.Pods {
		if pod := &s.Pods[i]; pod.Spec.NodeName == node && stands(pod) {
			all = append(all, pod)
		}
	}
	return all
}

// stands says whether a pod runs and a taint is about it: not one that has ended or is about to, nor a static pod, which no
// taint reaches (kubelet, lifecycle.generalFilter).
func stands(pod *corev1.Pod) bool {
	_, static := pod.Annotations[corev1.MirrorPodAnnotationKey]
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	return !static && !ended && pod.DeletionTimestamp == nil
}
