package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Node is a machine of the cluster, with containerd and a kubelet of its own.
type Node struct {
	Name string
	Dir  string

	t       *testing.T // of the whole node: what is started in a subtest outlives it
	cluster *Cluster
	ns      *namespace
	cgroups *cgroups
	kubelet *Process
	runtime *Process
	config  string
	user    string   // kubeconfig
	taints  []string // with which the kubelet registers the node
}

// NewNode starts a node, and skips the test where the machine cannot have one. Its kubelet registers it with taints, written
// key=value:Effect.
func NewNode(t *testing.T, c *Cluster, name string, taints ...string) *Node {
	t.Helper()
	skip := func(err error) {
		t.Skipf("SKIPPED: no node, and so no kubelet and no pods, on this machine: %v", err)
	}
	if err := c.tools.cannotRunContainers(); err != nil {
		skip(err)
	}
	n := &Node{t: t, Name: name, Dir: filepath.Join(c.Dir, name), cluster: c, taints: taints}
	if err := os.MkdirAll(filepath.Join(n.Dir, "containerd"), 0o750); err != nil {
		t.Fatal(err)
	}
	var err error
	if n.ns, err = newNamespace(t, n.Dir); err != nil {
		skip(err)
	}
	if n.cgroups, err = newCgroups(cgroupOf(n.Dir)); err != nil {
		skip(err)
	}
	n.startContainerd(t)
	n.configureKubelet(t)
	n.StartKubelet(t)
	return n
}

func (n *Node) socket() string { return containerdSocket(n.Dir) }

func containerdSocket(dir string) string { return filepath.Join(dir, "containerd.sock") }

// cgroupOf is the name of the cgroup for the node in a folder: that of the cluster's folder is there once.
func cgroupOf(dir string) string { return "berth-" + filepath.Base(filepath.Dir(dir)) }

// startContainerd starts the runtime with the one image that the tests use. Its configuration avoids what needs more rights than a root
// in a container has.
func (n *Node) startContainerd(t *testing.T) {
	t.Helper()
	tools := n.cluster.tools
	text := fmt.Sprintf(`version = 2
root = "%[1]s/containerd/root"
state = "%[1]s/containerd/state"
[grpc]
  address = %[2]q
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = %[3]q
  restrict_oom_score_adj = true
  disable_hugetlb_controller = true
  disable_tcp_service = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = %[5]q
    conf_dir = %[6]q
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "native"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      BinaryName = %[4]q
`, n.Dir, n.socket(), ProbeImage, tools.Runc, tools.CNI, n.podNetwork(t))
	if err := os.WriteFile(n.runtimeConfig(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	n.runContainerd(t)
	archive := filepath.Join(n.Dir, "probe.tar")
	if err := writeProbeImage(archive, tools.Probe, tools.Plugin); err != nil {
		t.Fatal(err)
	}
	n.importImage(t, archive)
}

func (n *Node) runtimeConfig() string { return filepath.Join(n.Dir, "containerd.toml") }

func (n *Node) runContainerd(t *testing.T) {
	t.Helper()
	tools := n.cluster.tools
	path := "PATH=" + tools.Shims + ":" + filepath.Dir(tools.Runc) + ":" + os.Getenv("PATH")
	n.runtime = n.Start("containerd", "env", path, tools.Containerd, "--config", n.runtimeConfig())
	Eventually(t, 20*time.Second, func() error { return n.ctr("version") })
}

func (n *Node) importImage(t *testing.T, archive string) {
	t.Helper()
	if err := n.ctr("-n", "k8s.io", "images", "import", "--snapshotter", "native", archive); err != nil {
		t.Fatal(err)
	}
}

func (n *Node) ctr(args ...string) error {
	argv := n.ns.enter(append([]string{n.cluster.tools.Ctr, "--address", n.socket()}, args...)...)
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("ctr %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// killShims ends the shims that a containerd left behind: those that carry its socket in their command line.
func killShims(socket string) {
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range found {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "containerd-shim") || !strings.Contains(string(text), socket) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// Path is where a file of the node is seen from the test.
func (n *Node) Path(name string) string { return n.ns.path(name) }

// Start starts a program on the node. It ends with the node, if not before.
func (n *Node) Start(name string, argv ...string) *Process {
	n.t.Helper()
	return Start(n.t, n.Dir, name, n.ns.enter(argv...)...)
}
