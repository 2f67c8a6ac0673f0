package live_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/e2e/harness"
)

const (
	cutEvery = 700 * time.Millisecond
	patience = 90 * time.Second
	tainted  = `{"spec":{"taints":[{"key":"berth.dev/wsl","value":"flaky","effect":"NoSchedule"}]}}`
	bare     = `{"spec":{"taints":[]}}`
)

// blocks are what berth diff --watch has printed.
func blocks(r *harness.Running) []string { return strings.Split(r.Out(), "\n---\n") }

// TestDiffWatchMissesNothingWhileItsWatchesBreak changes a node again and again behind a proxy that cuts every watch, and
// kills the API server in the middle. Every state is printed, once and in order.
func TestDiffWatchMissesNothingWhileItsWatchesBreak(t *testing.T) {
	s := newSite(t)
	s.AddNode(t, "kai-server", nil)
	s.AddNode(t, "kai-desktop-tower", nil)
	s.PatchNode(t, "kai-desktop-tower", bare)
	s.PatchNode(t, "kai-server", bare)
	file := harness.WriteFile(t, "taints.yaml", intent)
	breaker := s.NewBreaker(t, cutEvery)
	watching := s.tools.StartBerth(t, breaker.Kubeconfig, "diff", file, "--watch")
	const states = 12
	for i := range states {
		want := "[taint-missing]"
		if i%2 == 1 {
			want = "no drift"
		}
		harness.Eventually(t, patience, func() error {
			if all := blocks(watching); len(all) != i+1 || !strings.Contains(all[i], want) {
				return fmt.Errorf("%d blocks, want %d, the last with %s:\n%s\n%s", len(all), i+1, want, watching.Out(), watching.Errors())
			}
			return nil
		})
		if i == states/2 {
			s.RestartAPI(t)
			s.WaitReady(t)
		}
		if i < states-1 {
			time.Sleep(time.Duration(i) * 150 * time.Millisecond) // so that changes meet a stream at any point of its life
			s.PatchNode(t, "kai-desktop-tower", []string{tainted, bare}[i%2])
		}
	}
	watching.Interrupt()
	if r := watching.Wait(t, patience); r.Code != 0 {
		t.Errorf("exit %d, and the last state is without drift: %s", r.Code, r.Errors)
	}
	if breaker.Cuts() < states {
		t.Errorf("only %d watches were cut: it was no proof", breaker.Cuts())
	}
	t.Logf("%d states seen across %d cuts and a restart; said:\n%s", states, breaker.Cuts(), watching.Errors())
}

const plugin = `apiVersion: berth.dev/v1alpha1
kind: DevicePlugin
metadata: {name: intel-gpu}
spec:
  preset: intel-gpu
  image: example.com/p:v1@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
  nodes: [kai-desktop-tower]
`

// TestConfirmWaitsThroughBrokenWatchesAndARestart lets what confirm waits for come bit by bit.
func TestConfirmWaitsThroughBrokenWatchesAndARestart(t *testing.T) {
	s := newSite(t)
	s.AddNode(t, "kai-desktop-tower", nil)
	breaker := s.NewBreaker(t, cutEvery)
	waiting := s.tools.StartBerth(t, breaker.Kubeconfig, "confirm", harness.WriteFile(t, "gpu.yaml", plugin), "--wait", "10m", "-o", "-")
	waitsFor := func(text string) {
		t.Helper()
		harness.Eventually(t, patience, func() error {
			if !strings.Contains(waiting.Errors(), text) {
				return fmt.Errorf("it does not wait for %q:\n%s", text, waiting.Errors())
			}
			return nil
		})
	}
	waitsFor("is not in the cluster")
	s.deployPlugin(t)
	waitsFor("has no pod of DaemonSet")
	s.RestartAPI(t)
	s.WaitReady(t)
	s.pluginPod(t)
	waitsFor("offers none of gpu.intel.com/i915")
	s.advertise(t, "kai-desktop-tower")
	r := waiting.Wait(t, patience)
	if r.Code != 0 || !strings.Contains(r.Out, "kind: DeviceEvidence") || !strings.Contains(r.Out, "gpu.intel.com/i915: 1") {
		t.Errorf("exit %d\n%s%s", r.Code, r.Out, r.Errors)
	}
	t.Logf("%d cuts; said:\n%s", breaker.Cuts(), r.Errors)
}

const pluginSpace = "intel-gpu-plugin"

func pluginSpec() corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{Name: "p", Image: "example.com/p:v1@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}}
}

// deployPlugin makes a DaemonSet that has rolled out, as its controller would say.
func (s *site) deployPlugin(t *testing.T) {
	t.Helper()
	_, err := s.client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: pluginSpace}}, metav1.CreateOptions{})
	if err == nil {
		_, err = s.client.CoreV1().ServiceAccounts(pluginSpace).Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}, metav1.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{"app": "p"}
	sets := s.client.AppsV1().DaemonSets(pluginSpace)
	set, err := sets.Create(t.Context(), &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Name: pluginSpace},
		Spec:       appsv1.DaemonSetSpec{Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: pluginSpec()}},
	}, metav1.CreateOptions{})
	if err == nil {
		set.Status = appsv1.DaemonSetStatus{ObservedGeneration: set.Generation, DesiredNumberScheduled: 1, UpdatedNumberScheduled: 1}
		_, err = sets.UpdateStatus(t.Context(), set, metav1.UpdateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// pluginPod makes a ready pod of it.
func (s *site) pluginPod(t *testing.T) {
	t.Helper()
	set, err := s.client.AppsV1().DaemonSets(pluginSpace).Get(t.Context(), pluginSpace, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	spec := pluginSpec()
	spec.NodeName = "kai-desktop-tower"
	pods := s.client.CoreV1().Pods(pluginSpace)
	pod, err := pods.Create(t.Context(), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: "p-1", OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "DaemonSet", Name: set.Name, UID: set.UID}},
	}, Spec: spec}, metav1.CreateOptions{})
	if err == nil {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		_, err = pods.UpdateStatus(t.Context(), pod, metav1.UpdateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// advertise lets a node offer the device.
func (s *site) advertise(t *testing.T, name string) {
	t.Helper()
	node := s.node(t, name)
	for _, list := range []corev1.ResourceList{node.Status.Capacity, node.Status.Allocatable} {
		list["gpu.intel.com/i915"] = resource.MustParse("1")
	}
	if _, err := s.client.CoreV1().Nodes().UpdateStatus(t.Context(), node, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestWhoMayOnlyListIsToldAndPolls takes the right to watch away from the example's role.
func TestWhoMayOnlyListIsToldAndPolls(t *testing.T) {
	s := newSite(t)
	s.AddNode(t, "kai-server", nil)
	s.AddNode(t, "kai-desktop-tower", nil)
	s.PatchNode(t, "kai-desktop-tower", bare)
	s.WaitReady(t)
	lists := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "lists"}, Rules: []rbacv1.PolicyRule{{
		APIGroups: []string{"", "apps", "batch"}, Resources: []string{"*"}, Verbs: []string{"list"},
	}}}
	if _, err := s.client.RbacV1().ClusterRoles().Create(t.Context(), lists, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	user := s.User(t, "jane", "jane")
	s.bind(t, "lists", "jane")
	file := harness.WriteFile(t, "taints.yaml", intent)
	harness.Eventually(t, soon, func() error {
		if r := s.tools.RunBerth(t, user, nil, "diff", file); r.Code != 1 {
			return fmt.Errorf("exit %d: %s", r.Code, r.Errors)
		}
		return nil
	})
	watching := s.tools.StartBerth(t, user, "diff", file, "--watch")
	says := func(in func() string, text string) {
		t.Helper()
		harness.Eventually(t, patience, func() error {
			if !strings.Contains(in(), text) {
				return fmt.Errorf("no %q:\n%s\n%s", text, watching.Out(), watching.Errors())
			}
			return nil
		})
	}
	says(watching.Errors, "is not allowed, so that berth looks every 2s; the rule that is missing in a ClusterRole: {apiGroups: [")
	says(watching.Errors, "verbs: [watch]}")
	s.PatchNode(t, "kai-desktop-tower", tainted)
	says(watching.Out, "no drift")
	watching.Interrupt()
	if r := watching.Wait(t, patience); r.Code != 0 || strings.Count(r.Errors, "is not allowed") != 1 {
		t.Errorf("exit %d: %s", r.Code, r.Errors)
	}
}
