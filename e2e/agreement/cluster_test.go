package agreement_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"

	"github.com/berth-dev/berth/e2e/harness"
	"github.com/berth-dev/berth/generator/placement/placementtest"
)

func TestMain(m *testing.M) { harness.Main(m) }

const (
	patience = 3 * time.Minute // the machine may be busy: nothing waits this long where all is well
	parallel = 16
)

// cluster is a control plane with the table's nodes.
type cluster struct {
	*harness.Cluster
	tools  harness.Tools
	client *kubernetes.Clientset
	pods   cache.Indexer
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	tools := harness.FindTools(t)
	c := &cluster{Cluster: harness.NewCluster(t, tools), tools: tools}
	config := rest.CopyConfig(c.Config)
	config.QPS, config.ContentType = -1, runtime.ContentTypeProtobuf
	var err error
	if c.client, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	c.StartControllers(t)
	c.namespace(t)
	factory := informers.NewSharedInformerFactoryWithOptions(c.client, 0, informers.WithNamespace(placementtest.Namespace))
	informer := factory.Core().V1().Pods().Informer()
	if err := informer.AddIndexers(cache.Indexers{byLabel: labelsOf}); err != nil {
		t.Fatal(err)
	}
	c.pods = informer.GetIndexer()
	factory.StartWithContext(t.Context())
	factory.WaitForCacheSync(t.Context().Done())
	return c
}

// namespace makes the namespace, and waits for the account that its pods run as.
func (c *cluster) namespace(t *testing.T) {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: placementtest.Namespace}}
	if _, err := c.client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, patience, func() error {
		_, err := c.client.CoreV1().ServiceAccounts(placementtest.Namespace).Get(t.Context(), "default", metav1.GetOptions{})
		return err
	})
}

// addNodes makes the nodes as they are before anybody taints or cordons them.
func (c *cluster) addNodes(t *testing.T, nodes []*corev1.Node) {
	t.Helper()
	for _, node := range nodes {
		bare := node.DeepCopy()
		bare.Spec, bare.Status.Conditions = corev1.NodeSpec{}, nil
		placementtest.Settle(bare)
		c.AddNodeObject(t, bare)
	}
	for _, node := range nodes {
		c.settled(t, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node.Name}})
	}
}

// settled waits until a node has the taints that it is meant to have, and no other.
func (c *cluster) settled(t *testing.T, want *corev1.Node) {
	t.Helper()
	harness.Eventually(t, patience, func() error {
		node, err := c.client.CoreV1().Nodes().Get(t.Context(), want.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if missing, odd := without(want.Spec.Taints, node.Spec.Taints), without(node.Spec.Taints, want.Spec.Taints); len(missing)+len(odd) > 0 {
			return fmt.Errorf("node %s lacks the taints %v and has %v too many", want.Name, missing, odd)
		}
		return nil
	})
}

// without returns the taints of a list that another one does not have.
func without(list, other []corev1.Taint) []corev1.Taint {
	return slices.DeleteFunc(slices.Clone(list), func(t corev1.Taint) bool {
		return slices.ContainsFunc(other, func(o corev1.Taint) bool { return o.MatchTaint(&t) && o.Value == t.Value })
	})
}

// taint gives the nodes what the table says: conditions, taints and cordons. It returns when it began with each.
func (c *cluster) taint(t *testing.T, nodes []*corev1.Node) map[string]time.Time {
	t.Helper()
	began := map[string]time.Time{}
	for _, want := range nodes {
		began[want.Name] = time.Now()
		if err := c.change(t.Context(), want); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range nodes {
		c.settled(t, want)
	}
	return began
}

// change sets the conditions first: the controllers take taints off for which there is no condition.
func (c *cluster) change(ctx context.Context, want *corev1.Node) error {
	api := c.client.CoreV1().Nodes()
	if err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		node, err := api.Get(ctx, want.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		node.Status = want.Status
		_, err = api.UpdateStatus(ctx, node, metav1.UpdateOptions{})
		return err
	}); err != nil {
		return fmt.Errorf("conditions of node %s: %w", want.Name, err)
	}
	if err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		node, err := api.Get(ctx, want.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		node.Spec.Taints = append(node.Spec.Taints, without(want.Spec.Taints, node.Spec.Taints)...)
		node.Spec.Unschedulable = want.Spec.Unschedulable
		_, err = api.Update(ctx, node, metav1.UpdateOptions{})
		return err
	}); err != nil {
		return fmt.Errorf("taints of node %s: %w", want.Name, err)
	}
	return nil
}

// create makes pods.
func (c *cluster) create(t *testing.T, pods []*corev1.Pod) {
	t.Helper()
	inParallel(t, len(pods), func(ctx context.Context, i int) error {
		_, err := c.client.CoreV1().Pods(placementtest.Namespace).Create(ctx, pods[i], metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("pod %s: %w\n%s", pods[i].Name, err, show(pods[i]))
		}
		return nil
	})
}

// inParallel does something n times, several at a time.
func inParallel(t *testing.T, n int, do func(context.Context, int) error) {
	t.Helper()
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(parallel)
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// refuses says whether the API server takes a workload.
func (c *cluster) refuses(ctx context.Context, w *workload) (bool, error) {
	path := []string{"apis/apps/v1", "deployments"}
	switch w.kind {
	case "Pod":
		path = []string{"api/v1", "pods"}
	case "DaemonSet":
		path[1] = "daemonsets"
	}
	err := c.client.RESTClient().Post().AbsPath(path[0]).Namespace(placementtest.Namespace).Resource(path[1]).
		Param("dryRun", metav1.DryRunAll).SetHeader("Content-Type", runtime.ContentTypeJSON).
		Body([]byte(toJSON(w.object(w.name, w.spec)))).Do(ctx).Error()
	switch {
	case apierrors.IsInvalid(err):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("%s %s: %w", w.kind, w.name, err)
	}
	return false, nil
}

// byLabel is the index of pods by their labels.
const byLabel = "label"

func labelsOf(object any) ([]string, error) {
	var all []string
	for key, value := range object.(*corev1.Pod).Labels {
		all = append(all, key+"="+value)
	}
	return all, nil
}

// podsOf lists the pods with a label, as last seen.
func (c *cluster) podsOf(t *testing.T, label, value string) []*corev1.Pod {
	t.Helper()
	found, err := c.pods.ByIndex(byLabel, label+"="+value)
	if err != nil {
		t.Fatal(err)
	}
	pods := make([]*corev1.Pod, len(found))
	for i, object := range found {
		pods[i] = object.(*corev1.Pod)
	}
	return pods
}
