package flux_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-dev/berth/e2e/harness"
)

// TestClustersDev brings up clusters/dev from nothing, and then breaks it.
func TestClustersDev(t *testing.T) {
	s := newSite(t)
	checkout := s.files.Write(t)
	if r := s.tools.RunBerth(t, s.Admin(t), nil, "apply", filepath.Join(root, "clusters/taints.yaml"), "--yes"); r.Code != 0 {
		t.Fatalf("berth apply: exit %d\n%s%s", r.Code, r.Out, r.Errors)
	}
	s.publish(t, repository, s.files)
	events := s.watch(t)
	s.bootstrap(t, "./clusters/dev")

	var g graph
	s.berth(t, &g, "graph", checkout, "--env", "dev", "-o", "json")
	if stuck := s.settle(t, "", len(g.Kustomizations)); len(stuck) > 0 {
		t.Fatalf("not ready: %v", stuck)
	}
	t.Run("in the declared order", func(t *testing.T) { inOrder(t, g, events()) })
	t.Run("every pod is where it may be", s.podsAreHome)
	t.Run("applied as rendered", func(t *testing.T) { s.appliedAsRendered(t, g, checkout) })
	t.Run("substitution", s.torture)
	t.Run("broken waves", func(t *testing.T) { s.breakEach(t, g, checkout) })
}

// happened is when a Kustomization was first built and first ready, in the order of the events of all.
type happened struct{ built, ready map[string]int }

// watch follows the Kustomizations until the returned function is called.
func (s *site) watch(t *testing.T) func() happened {
	t.Helper()
	watch, err := s.Client.Resource(harness.Kustomizations).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h, done := happened{map[string]int{}, map[string]int{}}, make(chan struct{})
	go func() {
		defer close(done)
		n := 0
		for event := range watch.ResultChan() {
			o, ok := event.Object.(*unstructured.Unstructured)
			if !ok {
				continue
			}
			n++
			name := o.GetNamespace() + "/" + o.GetName()
			attempted, _, _ := unstructured.NestedString(o.Object, "status", "lastAttemptedRevision")
			if h.built[name] == 0 && attempted != "" {
				h.built[name] = n
			}
			if h.ready[name] == 0 && harness.IsReady(o) {
				h.ready[name] = n
			}
		}
	}()
	return func() happened {
		watch.Stop()
		<-done
		return h
	}
}

// inOrder holds what happened against each edge of the graph: nothing is built before what it depends on is ready.
func inOrder(t *testing.T, g graph, h happened) {
	if len(g.Edges) < 8 {
		t.Fatalf("the graph has only %d edges", len(g.Edges))
	}
	for _, edge := range g.Edges {
		from, to := edge.From.String(), edge.To.String()
		if h.ready[to] == 0 || h.built[from] <= h.ready[to] {
			t.Errorf("%s depends on %s, and was built at event %d, where that was ready at %d", from, to, h.built[from], h.ready[to])
		}
	}
	for _, a := range g.Kustomizations {
		if h.ready[a.String()] == 0 {
			t.Errorf("%s was never seen to be ready", a)
		}
	}
}

// podsAreHome looks at each pod: the tainted node has the one that the intent lets in, and no other.
func (s *site) podsAreHome(t *testing.T) {
	client, err := kubernetes.NewForConfig(s.Config)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"node-exporter":    {"desktop-tower-wsl", "k3s-prod-1", "k3s-prod-2", "k3s-prod-3"},
		"intel-gpu-plugin": {"k3s-prod-1", "k3s-prod-2", "k3s-prod-3"},
	}
	harness.Eventually(t, time.Minute, func() error {
		pods, err := client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		at := map[string][]string{}
		for _, pod := range pods.Items {
			app := pod.Labels["app.kubernetes.io/name"]
			at[app] = append(at[app], pod.Spec.NodeName)
			if pod.Spec.NodeName == "" || pod.Status.Phase != corev1.PodRunning {
				return fmt.Errorf("pod %s/%s does not run", pod.Namespace, pod.Name)
			}
			if pod.Spec.NodeName == "desktop-tower-wsl" && app != "node-exporter" {
				return harness.Fatal{Err: fmt.Errorf("pod %s/%s is on the tainted node", pod.Namespace, pod.Name)}
			}
		}
		for app, nodes := range want {
			slices.Sort(at[app])
			if !slices.Equal(at[app], nodes) {
				return fmt.Errorf("%s is on %v, want %v", app, at[app], nodes)
			}
		}
		for _, app := range []string{"plex", "crafty", "unifi", "cdi-operator", "virt-operator"} {
			if len(at[app]) != 1 {
				return fmt.Errorf("%s has the pods %v", app, at[app])
			}
		}
		return nil
	})
}
