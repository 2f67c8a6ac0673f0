package e2e_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/e2e/harness"
)

const opened = render + ": opened"

// initContainers gives the only GPU to an init container, and to the container after it or not.
func (s *site) initContainers(t *testing.T) {
	both := with(s.Pod("init-and-after", "open", render))
	first := *both.Spec.Containers[0].DeepCopy()
	first.Name = "first"
	both.Spec.InitContainers = []corev1.Container{first}
	only := s.Pod("init-only", "open", render)
	only.Spec.InitContainers = []corev1.Container{first}
	for _, c := range []struct {
		pod  *corev1.Pod
		want string
	}{{both, opened}, {only, render + ": no such file or directory"}} {
		pod := c.pod
		if said := s.Said(t, pod); said != c.want {
			t.Errorf("%s: the container said %q, want %q", pod.Name, said, c.want)
		}
		ended := s.Get(t, pod).Status.InitContainerStatuses[0].State.Terminated
		if ended == nil || ended.Message != opened {
			t.Errorf("%s: the init container ended as %+v", pod.Name, ended)
		}
	}
}

// healthInStatus is the feature ResourceHealthStatus of Kubernetes, on by default since 1.36: the kubelet writes into the status of
// a container which devices it has, and their health as the plugin reports it.
func (s *site) healthInStatus(t *testing.T) {
	holder := with(s.Pod("has-health", "pause"))
	s.Create(t, holder)
	s.WaitRunning(t, holder)
	s.waitHealth(t, holder, corev1.ResourceHealthStatusHealthy)
	show := s.HideNode(t, "renderD128")
	s.waitHealth(t, holder, corev1.ResourceHealthStatusUnhealthy)
	show()
	s.waitHealth(t, holder, corev1.ResourceHealthStatusHealthy)
}

func (s *site) waitHealth(t *testing.T, pod *corev1.Pod, want corev1.ResourceHealthStatus) {
	t.Helper()
	harness.Eventually(t, 30*time.Second, func() error {
		status := s.Get(t, pod).Status.ContainerStatuses[0].AllocatedResourcesStatus
		if len(status) != 1 || status[0].Name != i915 || len(status[0].Resources) != 1 || status[0].Resources[0].Health != want {
			return fmt.Errorf("the pod's status has %+v, want %s to be %s", status, i915, want)
		}
		return nil
	})
}

// reboots cuts the power of the node while a pod has the GPU. The kubelet comes first, and with it the pod, whose GPU nobody offers yet:
// it is refused for good, and it is for its controller to make another. It gives the plugin that runs now.
func (s *site) reboots(t *testing.T, plugin *harness.Process) *harness.Process {
	holder := with(s.Pod("before-reboot", "pause"))
	holder.Spec.RestartPolicy = corev1.RestartPolicyAlways
	s.Create(t, holder)
	s.WaitRunning(t, holder)
	before := s.BootID(t)
	plugin.Kill()
	s.Reboot(t)
	harness.Eventually(t, 30*time.Second, func() error {
		if s.BootID(t) == before {
			return fmt.Errorf("the boot ID is still %s", before)
		}
		return nil
	})
	s.WaitAllocatable(t, 20*time.Second, i915, 0)
	harness.Eventually(t, time.Minute, func() error {
		if got := s.Get(t, holder).Status; got.Phase != corev1.PodFailed || got.Reason != "UnexpectedAdmissionError" {
			return fmt.Errorf("the pod is %s, %s: %s", got.Phase, got.Reason, got.Message)
		}
		return nil
	})
	plugin = s.startPlugin()
	s.WaitAllocatable(t, 20*time.Second, i915, 1)
	if said := s.Said(t, with(s.Pod("after-reboot", "open", render))); said != opened {
		t.Errorf("the pod said %q", said)
	}
	return plugin
}
