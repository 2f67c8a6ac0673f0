package harness

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	core "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

// Cluster is a control plane: etcd and kube-apiserver on loopback.
type Cluster struct {
	Dir    string
	Config *rest.Config // an administrator's
	Core   *core.CoreV1Client

	tools Tools
	pki   *pki
	url   string
	api   *Process
	run   []string // the API server's command line
}

// NewCluster starts a control plane that ends with the test.
func NewCluster(t *testing.T, tools Tools) *Cluster {
	t.Helper()
	dir, err := os.MkdirTemp("", "e2e") // a short path: sockets in it may have 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	c := &Cluster{Dir: dir, tools: tools}
	if c.pki, err = newPKI(filepath.Join(dir, "pki")); err != nil {
		t.Fatal(err)
	}
	for name, who := range map[string][]string{"apiserver": {"kube-apiserver"}, "admin": {"admin", "system:masters"}} {
		if err := c.pki.issue(name, who[0], who[1:]...); err != nil {
			t.Fatal(err)
		}
	}
	c.start(t)
	c.connect(t)
	return c
}

func (c *Cluster) start(t *testing.T) {
	t.Helper()
	client, peer, api := freePort(t), freePort(t), freePort(t)
	etcd := fmt.Sprintf("http://127.0.0.1:%d", client)
	peers := fmt.Sprintf("http://127.0.0.1:%d", peer)
	c.url = fmt.Sprintf("https://127.0.0.1:%d", api)
	Start(t, c.Dir, "etcd", c.tools.Etcd, "--name=e2e", "--data-dir="+filepath.Join(c.Dir, "etcd"), "--unsafe-no-fsync",
		"--listen-client-urls="+etcd, "--advertise-client-urls="+etcd,
		"--listen-peer-urls="+peers, "--initial-advertise-peer-urls="+peers, "--initial-cluster=e2e="+peers)
	c.run = []string{
		c.tools.APIServer, "--etcd-servers=" + etcd,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", api), "--cert-dir=" + c.Dir,
		"--tls-cert-file=" + c.pki.path("apiserver.crt"), "--tls-private-key-file=" + c.pki.path("apiserver.key"),
		"--client-ca-file=" + c.pki.path("ca.crt"),
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=" + c.pki.path("sa.pub"),
		"--service-account-signing-key-file=" + c.pki.path("sa.key"), "--service-cluster-ip-range=10.222.0.0/24",
		"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction", "--endpoint-reconciler-type=none",
		"--allow-privileged=true", "--anonymous-auth=false", "--profiling=false",
	}
	c.api = Start(t, c.Dir, "kube-apiserver", c.run...)
}

// RestartAPI kills the API server, as a power cut does, and starts it again.
func (c *Cluster) RestartAPI(t *testing.T) {
	t.Helper()
	c.api.Kill()
	c.api = Start(t, c.Dir, "kube-apiserver", c.run...)
}

// connect waits for the API, and makes the service account that no controller is there to make.
func (c *Cluster) connect(t *testing.T) {
	t.Helper()
	c.Config = &rest.Config{Host: c.url, QPS: 100, Burst: 200, TLSClientConfig: rest.TLSClientConfig{
		CAFile: c.pki.path("ca.crt"), CertFile: c.pki.path("admin.crt"), KeyFile: c.pki.path("admin.key"),
	}}
	var err error
	if c.Core, err = core.NewForConfig(c.Config); err != nil {
		t.Fatal(err)
	}
	Eventually(t, 2*time.Minute, func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
		_, err := c.Core.ServiceAccounts("default").Create(ctx, account, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return err
	})
}

// kubeconfig writes a configuration for a user whose certificate was issued under name.
func (c *Cluster) kubeconfig(t *testing.T, name string) string {
	t.Helper()
	file := filepath.Join(c.Dir, name+".kubeconfig")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: e2e, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: e2e, user: {client-certificate: %q, client-key: %q}}]
contexts: [{name: e2e, context: {cluster: e2e, user: e2e}}]
current-context: e2e
`, c.url, c.pki.path("ca.crt"), c.pki.path(name+".crt"), c.pki.path(name+".key"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // only the number is wanted
	return l.Addr().(*net.TCPAddr).Port
}
