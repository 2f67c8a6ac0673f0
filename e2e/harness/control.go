package harness

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
)

// StartControllers starts kube-controller-manager and kube-scheduler. Nodes may be plain objects that nothing reports for.
func (c *Cluster) StartControllers(t *testing.T) {
	t.Helper()
	c.WaitReady(t) // the roles that they need are made by then
	controllers := c.User(t, "controllers", "system:kube-controller-manager")
	Start(t, c.Dir, "kube-controller-manager", c.tools.Controllers, "--kubeconfig="+controllers,
		"--authentication-kubeconfig="+controllers, "--authorization-kubeconfig="+controllers, "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", freePort(t)), "--leader-elect=false", "--use-service-account-credentials=true",
		"--service-account-private-key-file="+c.pki.path("sa.key"), "--root-ca-file="+c.pki.path("ca.crt"),
		"--node-monitor-grace-period=1h", "--node-monitor-period=1s", "--node-eviction-rate=100", "--concurrent-daemonset-syncs=10",
		"--kube-api-qps=1000", "--kube-api-burst=2000", "--flex-volume-plugin-dir="+filepath.Join(c.Dir, "flex"), "--cert-dir="+c.Dir)
	scheduler := c.User(t, "scheduler", "system:kube-scheduler")
	Start(t, c.Dir, "kube-scheduler", c.tools.Scheduler, "--kubeconfig="+scheduler, "--authentication-kubeconfig="+scheduler,
		"--authorization-kubeconfig="+scheduler, "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", freePort(t)),
		"--leader-elect=false", "--kube-api-qps=1000", "--kube-api-burst=2000", "--cert-dir="+c.Dir)
}

// User issues a certificate for a user of the cluster and returns a kubeconfig for it.
func (c *Cluster) User(t *testing.T, file, user string, groups ...string) string {
	t.Helper()
	if err := c.pki.issue(file, user, groups...); err != nil {
		t.Fatal(err)
	}
	return c.kubeconfig(t, file)
}

// Admin returns an administrator's kubeconfig.
func (c *Cluster) Admin(t *testing.T) string { return c.kubeconfig(t, "admin") }

// AddNode makes a Node object that is ready and that no kubelet stands behind.
func (c *Cluster) AddNode(t *testing.T, name string, annotations map[string]string, taints ...corev1.Taint) {
	t.Helper()
	labels := map[string]string{corev1.LabelHostname: name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: runtime.GOARCH}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels, Annotations: annotations}, Spec: corev1.NodeSpec{Taints: taints}}
	offers := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("64"), corev1.ResourceMemory: resource.MustParse("64Gi"), corev1.ResourcePods: resource.MustParse("500")}
	node.Status.Capacity, node.Status.Allocatable = offers, offers
	now := metav1.Now()
	node.Status.Conditions = []corev1.NodeCondition{{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "Test", LastHeartbeatTime: now, LastTransitionTime: now,
	}}
	c.AddNodeObject(t, node)
}

// AddNodeObject makes a Node object with its status, and no kubelet stands behind it.
func (c *Cluster) AddNodeObject(t *testing.T, node *corev1.Node) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := c.Core.Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := retry.RetryOnConflict(retry.DefaultBackoff, func() error { // the controllers write to a new node too
		created, err := c.Core.Nodes().Get(ctx, node.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		created.Status = node.Status
		_, err = c.Core.Nodes().UpdateStatus(ctx, created, metav1.UpdateOptions{})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// WaitReady waits until the API server says that it is ready, with the default roles in place.
func (c *Cluster) WaitReady(t *testing.T) {
	t.Helper()
	Eventually(t, time.Minute, func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		return c.Core.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
}
