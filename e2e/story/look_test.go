package story_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/e2e/harness"
)

// soon is how long a controller, or a pod that is replaced, may take on a busy machine.
const soon = 90 * time.Second

func (s *site) node(t *testing.T, name string) *corev1.Node {
	t.Helper()
	node, err := s.Core.Nodes().Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return node
}

func (s *site) isReady(t *testing.T, name string) error {
	t.Helper()
	for _, c := range s.node(t, name).Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue {
			return nil
		}
	}
	return fmt.Errorf("%s is not ready: %+v", name, s.node(t, name).Status.Conditions)
}

func (s *site) tainted(t *testing.T, name string) bool {
	t.Helper()
	return slices.ContainsFunc(s.node(t, name).Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&ours) && t.Value == ours.Value })
}

// pods are those of an app that nobody has deleted.
func (s *site) pods(t *testing.T, namespace, app string) ([]corev1.Pod, error) {
	t.Helper()
	list, err := s.Core.Pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "app=" + app})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list.Items, func(p corev1.Pod) bool { return p.DeletionTimestamp != nil }), nil
}

// runsOn waits until an app has one running pod on each of these nodes, and none elsewhere.
func (s *site) runsOn(t *testing.T, namespace, app string, nodes ...string) {
	t.Helper()
	slices.Sort(nodes)
	harness.Eventually(t, soon, func() error {
		pods, err := s.pods(t, namespace, app)
		if err != nil {
			return err
		}
		var at []string
		for _, pod := range pods {
			if pod.Status.Phase != corev1.PodRunning {
				return fmt.Errorf("%s on %s is %s: %+v", pod.Name, pod.Spec.NodeName, pod.Status.Phase, pod.Status.ContainerStatuses)
			}
			at = append(at, pod.Spec.NodeName)
		}
		if slices.Sort(at); !slices.Equal(at, nodes) {
			return fmt.Errorf("%s runs on %v, want %v", app, at, nodes)
		}
		return nil
	})
}

// replace deletes the pods of an app, as an upgrade or a crash would, and waits until each is gone.
func (s *site) replace(t *testing.T, namespace, app string) {
	t.Helper()
	pods, err := s.pods(t, namespace, app)
	if err != nil || len(pods) == 0 {
		t.Fatalf("%s has no pods: %v", app, err)
	}
	for _, pod := range pods {
		if err := s.Core.Pods(namespace).Delete(t.Context(), pod.Name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// plexSays waits until Plex runs on the tower and has said this of its render node.
func (s *site) plexSays(t *testing.T, want string) {
	t.Helper()
	s.runsOn(t, "plex", "plex", tower)
	harness.Eventually(t, soon, func() error {
		pods, err := s.pods(t, "plex", "plex")
		if err != nil || len(pods) != 1 {
			return fmt.Errorf("plex has %d pods: %w", len(pods), err)
		}
		said, err := s.tower.Log(&pods[0], "plex")
		if err == nil && said != render+": "+want {
			err = fmt.Errorf("plex says %q, want %q", said, render+": "+want)
		}
		return err
	})
}

// ranPinned demands that the kubelet has run the plugin from the image with the pinned digest.
func (s *site) ranPinned(t *testing.T) {
	t.Helper()
	list, err := s.Core.Pods("intel-gpu-plugin").List(t.Context(), metav1.ListOptions{FieldSelector: "spec.nodeName=" + tower})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("the plugin has %d pods on %s: %v", len(list.Items), tower, err)
	}
	for _, c := range list.Items[0].Status.ContainerStatuses {
		if c.ImageID != pluginRepository+"@"+s.digest || !c.Ready {
			t.Errorf("the plugin runs %s, ready: %t; want %s", c.ImageID, c.Ready, s.digest)
		}
	}
}
