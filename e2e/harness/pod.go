package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pod describes a pod that runs the probe once, without privileges, on a node.
func (n *Node) Pod(name string, args ...string) *corev1.Pod {
	no := false
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec: corev1.PodSpec{
			NodeName: n.Name, RestartPolicy: corev1.RestartPolicyNever, HostNetwork: true, // there is no network plugin
			AutomountServiceAccountToken: &no, EnableServiceLinks: &no,
			Containers: []corev1.Container{{
				Name: "probe", Image: ProbeImage, ImagePullPolicy: corev1.PullNever, Args: args,
				SecurityContext: &corev1.SecurityContext{
					AllowPrivilegeEscalation: &no, Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
				},
			}},
		},
	}
}

// Create creates a pod, which is deleted at the end of the test.
func (n *Node) Create(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	pods := n.cluster.Core.Pods(pod.Namespace)
	if _, err := pods.Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	now := int64(0)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = pods.Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
	})
}

// Get gives a pod as it is now.
func (n *Node) Get(t *testing.T, pod *corev1.Pod) *corev1.Pod {
	t.Helper()
	got, err := n.cluster.Core.Pods(pod.Namespace).Get(t.Context(), pod.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// WaitRunning waits until the pod runs.
func (n *Node) WaitRunning(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	Eventually(t, time.Minute, func() error {
		got := n.Get(t, pod)
		switch got.Status.Phase {
		case corev1.PodRunning:
			return nil
		case corev1.PodFailed, corev1.PodSucceeded:
			return Fatal{fmt.Errorf("pod %s has ended: %s %s", pod.Name, got.Status.Reason, got.Status.Message)}
		}
		return fmt.Errorf("pod %s is %s: %+v", pod.Name, got.Status.Phase, got.Status.ContainerStatuses)
	})
}

// Log gives the lines that a container of a pod has printed, as long as it was not restarted.
func (n *Node) Log(pod *corev1.Pod, container string) (string, error) {
	folder := filepath.Join(n.Dir, "logs", fmt.Sprintf("%s_%s_%s", pod.Namespace, pod.Name, pod.UID), container)
	text, err := os.ReadFile(filepath.Join(folder, "0.log"))
	if err != nil {
		return "", fmt.Errorf("reading a pod's log: %w", err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) { // time, stream, F or P, what was printed
		if fields := strings.SplitN(strings.TrimSpace(line), " ", 4); len(fields) == 4 {
			lines = append(lines, fields[3])
		}
	}
	return strings.Join(lines, "\n"), nil
}

// Said runs the pod and gives what the probe said. The pod has ended by then, and what it had is free.
func (n *Node) Said(t *testing.T, pod *corev1.Pod) string {
	t.Helper()
	n.Create(t, pod)
	said := ""
	Eventually(t, time.Minute, func() error {
		got := n.Get(t, pod)
		for _, s := range got.Status.ContainerStatuses {
			if ended := s.State.Terminated; ended != nil && (got.Status.Phase == corev1.PodSucceeded || got.Status.Phase == corev1.PodFailed) {
				said = ended.Message
				return nil
			}
		}
		if got.Status.Phase == corev1.PodFailed && len(got.Status.ContainerStatuses) == 0 {
			return Fatal{fmt.Errorf("pod %s: %s: %s", pod.Name, got.Status.Reason, got.Status.Message)}
		}
		return fmt.Errorf("pod %s is %s: %+v", pod.Name, got.Status.Phase, got.Status.ContainerStatuses)
	})
	return said
}
