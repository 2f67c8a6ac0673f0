package live_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/berth-dev/berth/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// intent is what most tests apply.
const intent = `apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: home}
spec:
  taints:
    - {name: wsl, taint: "berth.dev/wsl=flaky:NoSchedule", reason: flaky}
  nodes:
    - names: [kai-server]
    - names: [kai-desktop-tower]
      taints: [wsl]
  allow:
    - workload: {kind: Deployment, namespace: default, name: allowed}
      tolerate: [wsl]
      reason: wanted there
  deny:
    - workload: {kind: DaemonSet, namespace: default, name: denied}
      reason: not wanted there, and tolerates everything
`

// ours is the taint of the intent.
var ours = corev1.Taint{Key: "berth.dev/wsl", Value: "flaky", Effect: corev1.TaintEffectNoSchedule}

// site is a cluster and the means to look at it.
type site struct {
	*harness.Cluster
	tools  harness.Tools
	client *kubernetes.Clientset
	admin  string
}

func newSite(t *testing.T) *site {
	t.Helper()
	tools := harness.FindTools(t)
	s := &site{Cluster: harness.NewCluster(t, tools), tools: tools}
	var err error
	if s.client, err = kubernetes.NewForConfig(s.Config); err != nil {
		t.Fatal(err)
	}
	s.admin = s.Admin(t)
	return s
}

// berth runs a command as the administrator and demands an exit code.
func (s *site) berth(t *testing.T, code int, args ...string) harness.Result {
	t.Helper()
	r := s.tools.RunBerth(t, s.admin, nil, args...)
	if r.Code != code {
		t.Fatalf("berth %s: exit %d, want %d\n%s%s", strings.Join(args, " "), r.Code, code, r.Out, r.Errors)
	}
	return r
}

func (s *site) node(t *testing.T, name string) *corev1.Node {
	t.Helper()
	node, err := s.client.CoreV1().Nodes().Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return node
}

func has(node *corev1.Node, taint corev1.Taint) bool {
	return slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) && t.Value == taint.Value })
}

// untouched waits until the controllers have taken their own taints off a new node.
func (s *site) untouched(t *testing.T, names ...string) {
	t.Helper()
	harness.Eventually(t, 30*time.Second, func() error {
		for _, name := range names {
			if taints := s.node(t, name).Spec.Taints; len(taints) > 0 {
				return fmt.Errorf("%s has the taints %v", name, taints)
			}
		}
		return nil
	})
}

// serviceAccount waits for the account that pods run as.
func (s *site) serviceAccount(t *testing.T) {
	t.Helper()
	harness.Eventually(t, 60*time.Second, func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := s.client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

// pods returns where the pods of an app are; an unscheduled pod is under "".
func (s *site) pods(t *testing.T, app string, want int) (map[string]int, error) {
	t.Helper()
	list, err := s.client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{LabelSelector: "app=" + app})
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for _, pod := range list.Items {
		if pod.DeletionTimestamp == nil {
			at[pod.Spec.NodeName]++
		}
	}
	total := 0
	for _, n := range at {
		total += n
	}
	if total != want {
		return at, fmt.Errorf("%s has %d pods, want %d", app, total, want)
	}
	return at, nil
}

var errWaiting = errors.New("not yet")
