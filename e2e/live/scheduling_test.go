package live_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/e2e/harness"
)

// base is what stands in the repository: nothing in it knows of the taint.
const base = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
%s
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {namespace: default, name: allowed}
  spec:
    replicas: 4
    selector: {matchLabels: {app: allowed}}
    template:
      metadata: {labels: {app: allowed}}
      spec:
        nodeSelector: {kubernetes.io/hostname: kai-desktop-tower}
        containers: [{name: c, image: x}]
- apiVersion: apps/v1
  kind: Deployment
  metadata: {namespace: default, name: unlisted}
  spec:
    replicas: 20
    selector: {matchLabels: {app: unlisted}}
    template:
      metadata: {labels: {app: unlisted}}
      spec:
        containers: [{name: c, image: x}]
- apiVersion: apps/v1
  kind: Deployment
  metadata: {namespace: default, name: insists}
  spec:
    replicas: 2
    selector: {matchLabels: {app: insists}}
    template:
      metadata: {labels: {app: insists}}
      spec:
        nodeSelector: {kubernetes.io/hostname: kai-desktop-tower}
        containers: [{name: c, image: x}]
- apiVersion: apps/v1
  kind: DaemonSet
  metadata: {namespace: default, name: blanket}
  spec:
    selector: {matchLabels: {app: blanket}}
    template:
      metadata: {labels: {app: blanket}}
      spec:
        tolerations: [{operator: Exists, effect: NoSchedule}]
        containers: [{name: c, image: x}]
- apiVersion: apps/v1
  kind: DaemonSet
  metadata: {namespace: default, name: denied}
  spec:
    selector: {matchLabels: {app: denied}}
    template:
      metadata: {labels: {app: denied}}
      spec:
        tolerations: [{operator: Exists, effect: NoSchedule}]
        containers: [{name: c, image: x}]
- apiVersion: apps/v1
  kind: DaemonSet
  metadata: {namespace: default, name: plain}
  spec:
    selector: {matchLabels: {app: plain}}
    template:
      metadata: {labels: {app: plain}}
      spec:
        containers: [{name: c, image: x}]
`

// rendered runs the KRM function on the base and creates what comes out.
func (s *site) rendered(t *testing.T, intent string) {
	t.Helper()
	config := "  " + strings.ReplaceAll(strings.TrimSpace(intent), "\n", "\n  ")
	r := s.tools.RunBerth(t, "", []byte(fmt.Sprintf(base, config)))
	if r.Code != 0 {
		t.Fatalf("the function failed: %s", r.Errors)
	}
	var list struct{ Items []json.RawMessage }
	if err := yaml.Unmarshal([]byte(r.Out), &list); err != nil {
		t.Fatal(err)
	}
	for _, item := range list.Items {
		s.create(t, item)
	}
}

func (s *site) create(t *testing.T, item json.RawMessage) {
	t.Helper()
	var err error
	switch {
	case bytes.Contains(item, []byte(`"kind":"Deployment"`)):
		object := &appsv1.Deployment{}
		if err = json.Unmarshal(item, object); err == nil {
			_, err = s.client.AppsV1().Deployments(object.Namespace).Create(t.Context(), object, metav1.CreateOptions{})
		}
	case bytes.Contains(item, []byte(`"kind":"DaemonSet"`)):
		object := &appsv1.DaemonSet{}
		if err = json.Unmarshal(item, object); err == nil {
			_, err = s.client.AppsV1().DaemonSets(object.Namespace).Create(t.Context(), object, metav1.CreateOptions{})
		}
	}
	if err != nil {
		t.Fatalf("creating %s: %v", item, err)
	}
}

// lands waits until the pods of an app are on the nodes as counted.
func (s *site) lands(t *testing.T, app string, want map[string]int) {
	t.Helper()
	total := 0
	for _, n := range want {
		total += n
	}
	harness.Eventually(t, 60*time.Second, func() error {
		at, err := s.pods(t, app, total)
		if err == nil && fmt.Sprint(at) != fmt.Sprint(want) {
			err = fmt.Errorf("%s is at %v, want %v", app, at, want)
		}
		return err
	})
}

func TestWherePodsLand(t *testing.T) {
	s := newSite(t)
	s.StartControllers(t)
	s.serviceAccount(t)
	s.AddNode(t, "kai-server", nil)
	s.AddNode(t, "kai-desktop-tower", nil)
	s.untouched(t, "kai-server", "kai-desktop-tower")
	file := harness.WriteFile(t, "taints.yaml", intent)

	s.berth(t, 0, "apply", file, "--yes")
	if node := s.node(t, "kai-desktop-tower"); !has(node, ours) {
		t.Fatalf("the node has the taints %v", node.Spec.Taints)
	}
	s.rendered(t, intent)

	s.lands(t, "allowed", map[string]int{"kai-desktop-tower": 4})
	s.lands(t, "unlisted", map[string]int{"kai-server": 20})
	s.lands(t, "insists", map[string]int{"": 2})
	s.lands(t, "blanket", map[string]int{"kai-server": 1, "kai-desktop-tower": 1})
	s.lands(t, "denied", map[string]int{"kai-server": 1})
	s.lands(t, "plain", map[string]int{"kai-server": 1})
	s.schedulerSays(t, "insists", "had untolerated taint")

	r := s.berth(t, 0, "diff", file)
	for _, want := range []string{"DaemonSet default/blanket [daemonset-undecided]", "no drift"} {
		if !strings.Contains(r.Out, want) {
			t.Errorf("berth diff does not say %q:\n%s", want, r.Out)
		}
	}
	t.Run("NoExecute evicts what is not listed, and the plan names it", func(t *testing.T) { s.evicts(t) })
}

// schedulerSays looks for the scheduler's reason in a pod's conditions.
func (s *site) schedulerSays(t *testing.T, app, reason string) {
	t.Helper()
	harness.Eventually(t, 30*time.Second, func() error {
		list, err := s.client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{LabelSelector: "app=" + app})
		if err != nil {
			return err
		}
		for _, pod := range list.Items {
			for _, c := range pod.Status.Conditions {
				if c.Type == corev1.PodScheduled && strings.Contains(c.Message, reason) {
					return nil
				}
			}
		}
		return fmt.Errorf("%w: no pod of %s is told %q", errWaiting, app, reason)
	})
}

func (s *site) evicts(t *testing.T) {
	file := harness.WriteFile(t, "taints.yaml", strings.Replace(intent, "flaky:NoSchedule", "flaky:NoExecute", 1))
	// The allowed Deployment tolerates the old effect only, so that the plan stops before anything is evicted.
	r := s.berth(t, 1, "apply", file, "--yes")
	if !strings.Contains(r.Errors, "Deployment default/allowed: does not tolerate berth.dev/wsl=flaky:NoExecute") {
		t.Errorf("apply says:\n%s", r.Errors)
	}
	if !has(s.node(t, "kai-desktop-tower"), ours) {
		t.Error("the blocked plan changed the node")
	}
	// The allowlist gets its new toleration, and the rollout is through.
	allowed, err := s.client.AppsV1().Deployments("default").Get(t.Context(), "allowed", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	zero := int32(0) // no kubelet ends the old pods, so that a rollout would never be through
	allowed.Spec.Replicas = &zero
	allowed.Spec.Template.Spec.Tolerations = append(allowed.Spec.Template.Spec.Tolerations,
		corev1.Toleration{Key: ours.Key, Operator: corev1.TolerationOpEqual, Value: ours.Value, Effect: corev1.TaintEffectNoExecute})
	if _, err := s.client.AppsV1().Deployments("default").Update(t.Context(), allowed, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, 30*time.Second, func() error {
		r = s.tools.RunBerth(t, s.admin, nil, "apply", file, "--yes")
		if r.Code != 0 {
			return fmt.Errorf("exit %d: %s", r.Code, r.Errors)
		}
		return nil
	})
	if !strings.Contains(r.Out, "evicts default/blanket-") || !strings.Contains(r.Out, "of DaemonSet default/blanket") {
		t.Errorf("the plan does not name the pod that it evicts:\n%s", r.Out)
	}
	harness.Eventually(t, 30*time.Second, func() error {
		at, err := s.pods(t, "blanket", 1)
		if err == nil && at["kai-server"] != 1 {
			err = fmt.Errorf("blanket is at %v", at)
		}
		return err
	})
}
