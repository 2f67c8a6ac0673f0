package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	corev1 "k8s.io/api/core/v1"
)

// configureKubelet writes the kubelet's configuration and its user.
func (n *Node) configureKubelet(t *testing.T) {
	t.Helper()
	if err := n.cluster.pki.issue("node-"+n.Name, "system:node:"+n.Name, "system:nodes"); err != nil {
		t.Fatal(err)
	}
	n.user = n.cluster.kubeconfig(t, "node-"+n.Name)
	n.config = filepath.Join(n.Dir, "kubelet.yaml")
	text := fmt.Sprintf(`apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: 127.0.0.1
port: %[1]d
readOnlyPort: 0
healthzPort: %[2]d
authentication: {anonymous: {enabled: false}, webhook: {enabled: false}, x509: {clientCAFile: %[3]q}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: "unix://%[4]s"
cgroupDriver: cgroupfs
cgroupRoot: /%[5]s
failCgroupV1: false
failSwapOn: false
localStorageCapacityIsolation: false
podLogsDir: %[6]q
volumePluginDir: %[7]q
resolvConf: ""
evictionHard: {memory.available: 50Mi, nodefs.available: 1%%, imagefs.available: 1%%}
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
nodeStatusUpdateFrequency: 1s
syncFrequency: 5s
`, freePort(t), freePort(t), n.cluster.pki.path("ca.crt"), n.socket(), n.cgroups.name,
		filepath.Join(n.Dir, "logs"), filepath.Join(n.Dir, "flex"))
	if err := os.WriteFile(n.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// RegisterWith sets the taints with which the kubelet registers the node from its next start on, as a new drop-in does.
func (n *Node) RegisterWith(taints ...string) { n.taints = taints }

// StartKubelet starts the kubelet, and waits until it has registered the node.
func (n *Node) StartKubelet(t *testing.T) {
	t.Helper()
	flags := []string{
		n.cluster.tools.Kubelet, "--kubeconfig=" + n.user, "--config=" + n.config, "--hostname-override=" + n.Name,
		"--root-dir=/var/lib/kubelet", "--cert-dir=" + filepath.Join(n.Dir, "certs"), "-v=2",
	}
	if len(n.taints) > 0 { // what k3s does with the values of node-taint
		flags = append(flags, "--register-with-taints="+strings.Join(n.taints, ","))
	}
	n.kubelet = n.Start("kubelet", flags...)
	Eventually(t, time.Minute, func() error {
		if err := n.kubelet.Running(); err != nil {
			return Fatal{err}
		}
		_, err := n.status(t)
		return err
	})
}

// StopKubelet ends the kubelet. The pods go on.
func (n *Node) StopKubelet() { n.kubelet.Stop() }

// RestartKubelet ends the kubelet and starts it again.
func (n *Node) RestartKubelet(t *testing.T) {
	t.Helper()
	n.StopKubelet()
	n.StartKubelet(t)
}

func (n *Node) status(t *testing.T) (corev1.NodeStatus, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	node, err := n.cluster.Core.Nodes().Get(ctx, n.Name, metav1.GetOptions{})
	if err != nil {
		return corev1.NodeStatus{}, err
	}
	return node.Status, nil
}

// WaitAllocatable waits until the node offers exactly so much of a resource, and gives how long that took.
func (n *Node) WaitAllocatable(t *testing.T, within time.Duration, resource string, want int64) time.Duration {
	t.Helper()
	return Eventually(t, within, func() error {
		if err := n.kubelet.Running(); err != nil {
			return Fatal{err}
		}
		status, err := n.status(t)
		if err != nil {
			return err
		}
		amount, there := status.Allocatable[corev1.ResourceName(resource)]
		if !there {
			return errors.New("the node does not know " + resource)
		}
		if got := amount.Value(); got != want {
			return fmt.Errorf("the node offers %d of %s, want %d", got, resource, want)
		}
		return nil
	})
}

// Capacity gives how much of a resource the node has, healthy or not.
func (n *Node) Capacity(t *testing.T, resource string) int64 {
	t.Helper()
	status, err := n.status(t)
	if err != nil {
		t.Fatal(err)
	}
	amount := status.Capacity[corev1.ResourceName(resource)]
	return amount.Value()
}
