package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/util/uuid"
)

// Reboot ends everything that runs on the node as a power cut does, and starts containerd and the kubelet again, with another boot
// ID. What is on disk stays: the kubelet's checkpoints, sockets that nobody serves, the runtime's records of containers that are gone.
func (n *Node) Reboot(t *testing.T) {
	t.Helper()
	n.kubelet.Kill()
	n.runtime.Kill()
	killShims(n.socket())
	n.cgroups.remove() // with the processes of the pods
	var err error
	if n.cgroups, err = newCgroups(n.cgroups.name); err != nil {
		t.Fatal(err)
	}
	id := filepath.Join(n.Dir, "boot_id")
	if err := os.WriteFile(id, []byte(string(uuid.NewUUID())+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mount := n.ns.enter("mount", "--bind", id, "/proc/sys/kernel/random/boot_id")
	if out, err := exec.Command(mount[0], mount[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("another boot ID: %v: %s", err, out)
	}
	n.runContainerd(t)
	n.StartKubelet(t)
}

// BootID is the one that the node's status has.
func (n *Node) BootID(t *testing.T) string {
	t.Helper()
	status, err := n.status(t)
	if err != nil {
		t.Fatal(err)
	}
	return status.NodeInfo.BootID
}
