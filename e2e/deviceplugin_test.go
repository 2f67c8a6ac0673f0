package e2e_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

const (
	i915   = "gpu.intel.com/i915"
	render = "/dev/dri/renderD128"
	card   = "/dev/dri/card0"
)

// site is a cluster with one node that has one GPU.
type site struct {
	*harness.Node
	tools   harness.Tools
	started int
}

func newSite(t *testing.T) *site {
	t.Helper()
	tools := harness.FindTools(t)
	cluster := harness.NewCluster(t, tools)
	s := &site{Node: harness.NewNode(t, cluster, "node-1"), tools: tools}
	s.AddGPU(t, harness.GPU{Address: "0000:00:02.0", Driver: "i915", Card: 0, Render: 128})
	return s
}

func (s *site) startPlugin() *harness.Process {
	s.started++
	return s.Start(fmt.Sprintf("plugin-%d", s.started), s.tools.Plugin, "-prefix", s.Tree(), "-listen", "", "-log-format", "text")
}

// registers waits until the plugin has registered more often than before.
func registers(t *testing.T, plugin *harness.Process, before int) {
	t.Helper()
	harness.Eventually(t, 30*time.Second, func() error {
		if got := plugin.Logged("msg=registered "); got <= before {
			return fmt.Errorf("the plugin registered %d times", got)
		}
		return plugin.Running()
	})
}

// with asks for one GPU.
func with(pod *corev1.Pod) *corev1.Pod {
	pod.Spec.Containers[0].Resources.Limits = corev1.ResourceList{i915: resource.MustParse("1")}
	return pod
}

// withHostPath mounts the render node from the host, as people do who have no device plugin.
func withHostPath(pod *corev1.Pod) *corev1.Pod {
	kind := corev1.HostPathCharDev
	pod.Spec.Volumes = []corev1.Volume{{Name: "gpu", VolumeSource: corev1.VolumeSource{
		HostPath: &corev1.HostPathVolumeSource{Path: render, Type: &kind},
	}}}
	pod.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "gpu", MountPath: render}}
	return pod
}

// One cluster serves all of these: to start it takes longer than any of them.
func TestTheRealKubelet(t *testing.T) {
	s := newSite(t)
	plugin := s.startPlugin()
	took := s.WaitAllocatable(t, time.Minute, i915, 1)
	t.Logf("allocatable after %v", took)

	t.Run("a pod that asks for the GPU opens its nodes without being privileged", func(t *testing.T) {
		said := s.Said(t, with(s.Pod("asks", "open", render, card)))
		if want := render + ": opened\n" + card + ": opened"; said != want {
			t.Errorf("the pod said %q, want %q", said, want)
		}
	})
	t.Run("the pod is told where the render node is", func(t *testing.T) {
		if said := s.Said(t, with(s.Pod("env", "env", "GPU_RENDER_NODE"))); said != "GPU_RENDER_NODE="+render {
			t.Errorf("the pod said %q", said)
		}
	})
	t.Run("the same pod with a hostPath in place of the request gets EPERM", func(t *testing.T) {
		said := s.Said(t, withHostPath(s.Pod("hostpath", "open", render)))
		if want := render + ": operation not permitted"; said != want {
			t.Errorf("the pod said %q, want %q", said, want)
		}
	})
	t.Run("a pod that asks for nothing does not see the node", func(t *testing.T) {
		said := s.Said(t, s.Pod("neither", "open", render))
		if want := render + ": no such file or directory"; said != want {
			t.Errorf("the pod said %q, want %q", said, want)
		}
	})
	t.Run("an init container that asks for the GPU opens it too, and the one after it gets the same", s.initContainers)
	t.Run("a pod's status says whether the GPU that it has is healthy", s.healthInStatus)
	t.Run("a node that is gone makes the GPU unhealthy, and healthy when it is back", func(t *testing.T) {
		show := s.HideNode(t, "renderD128")
		t.Logf("at zero after %v", s.WaitAllocatable(t, 10*time.Second, i915, 0))
		if got := s.Capacity(t, i915); got != 1 {
			t.Errorf("capacity is %d, want 1", got)
		}
		show()
		t.Logf("back after %v", s.WaitAllocatable(t, 10*time.Second, i915, 1))
	})
	t.Run("after a kubelet restart the GPU is back, and a later change arrives", func(t *testing.T) {
		for range 3 {
			before := plugin.Logged("msg=registered ")
			s.RestartKubelet(t)
			registers(t, plugin, before)
			s.WaitAllocatable(t, time.Minute, i915, 1)
			show := s.HideNode(t, "card0")
			s.WaitAllocatable(t, 10*time.Second, i915, 0)
			show()
			s.WaitAllocatable(t, 10*time.Second, i915, 1)
		}
		if err := plugin.Running(); err != nil {
			t.Error(err)
		}
	})
	t.Run("a pod keeps its GPU when the kubelet restarts, and when the plugin does", func(t *testing.T) {
		holder := with(s.Pod("holder", "pause"))
		s.Create(t, holder)
		s.WaitRunning(t, holder)
		s.RestartKubelet(t)
		s.WaitAllocatable(t, time.Minute, i915, 1)
		plugin.Stop()
		s.WaitAllocatable(t, time.Minute, i915, 0)
		plugin = s.startPlugin()
		s.WaitAllocatable(t, time.Minute, i915, 1)
		if got := s.Get(t, holder); got.Status.Phase != corev1.PodRunning {
			t.Errorf("the pod is %s: %s", got.Status.Phase, got.Status.Message)
		}
		refused(t, s, "while the only GPU is taken")
	})
	t.Run("a plugin that is killed is replaced", func(t *testing.T) {
		plugin.Kill()
		s.WaitAllocatable(t, time.Minute, i915, 0)
		plugin = s.startPlugin()
		s.WaitAllocatable(t, time.Minute, i915, 1)
	})
	t.Run("a rollout with two plugins alive ends with the new one serving", func(t *testing.T) {
		next := s.startPlugin()
		registers(t, next, 0)
		plugin.Stop()
		time.Sleep(3 * time.Second) // what the kubelet makes of it has reached the node's status
		s.WaitAllocatable(t, 10*time.Second, i915, 1)
		if said := s.Said(t, with(s.Pod("after-rollout", "open", render))); said != render+": opened" {
			t.Errorf("the pod said %q", said)
		}
		plugin = next
	})
	t.Run("after a reboot a pod that comes before the plugin is refused, and the next one has the GPU", func(t *testing.T) {
		plugin = s.reboots(t, plugin)
	})
	t.Run("the plugin serves from a pod without privileges", func(t *testing.T) {
		plugin.Stop()
		s.WaitAllocatable(t, time.Minute, i915, 0)
		s.Create(t, daemon(s))
		s.WaitAllocatable(t, time.Minute, i915, 1)
		if said := s.Said(t, with(s.Pod("after-daemon", "open", render))); said != render+": opened" {
			t.Errorf("the pod said %q", said)
		}
	})
	t.Run("a plugin that was there before the kubelet registers with it", func(t *testing.T) {
		s.StopKubelet()
		plugin.Stop()
		plugin = s.startPlugin()
		time.Sleep(time.Second)
		s.StartKubelet(t)
		registers(t, plugin, 0) // until the kubelet knows better, the node's status is that of the one before
		s.WaitAllocatable(t, time.Minute, i915, 1)
	})
}

// daemon is the pod of a DaemonSet: root, and nothing else that a privileged pod has.
func daemon(s *site) *corev1.Pod {
	pod := s.Pod("daemon")
	c := &pod.Spec.Containers[0]
	c.Command = []string{"/berth-device-plugin", "-prefix=" + s.Tree(), "-listen="}
	yes := true
	c.SecurityContext.ReadOnlyRootFilesystem = &yes
	c.SecurityContext.SeccompProfile = &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
	for i, path := range []string{"/var/lib/kubelet/device-plugins", "/dev/dri", s.Tree()} {
		name := fmt.Sprintf("v%d", i)
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			HostPath: &corev1.HostPathVolumeSource{Path: path},
		}})
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: name, MountPath: path, ReadOnly: i > 0})
	}
	return pod
}

// refused creates a pod that asks for a GPU and expects the kubelet not to admit it.
func refused(t *testing.T, s *site, when string) {
	t.Helper()
	pod := with(s.Pod("refused", "open", render))
	s.Create(t, pod)
	harness.Eventually(t, time.Minute, func() error {
		got := s.Get(t, pod)
		if got.Status.Phase == corev1.PodFailed && strings.Contains(got.Status.Reason, "OutOf") || got.Status.Reason == "UnexpectedAdmissionError" {
			return nil
		}
		return fmt.Errorf("%s: the pod is %s, %s", when, got.Status.Phase, got.Status.Reason)
	})
}
