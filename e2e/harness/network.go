package harness

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"
)

// NeedPodNetwork skips the test where pods can have no network of their own, and so no node is ready.
func (tools Tools) NeedPodNetwork(t *testing.T) {
	t.Helper()
	if tools.CNI == "" {
		t.Skip("SKIPPED: there are no CNI plugins on this machine, and so no network for pods: install containernetworking-plugins")
	}
}

// podNetwork writes the configuration of the pods' network and gives its folder: each pod has a pair of interfaces, the other one of which
// is the machine's, where the kubelet asks its probes. Without plugins the folder is empty: then the node is never ready, and only pods
// that use the machine's network start.
func (n *Node) podNetwork(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(n.Dir, "cni")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	if n.cluster.tools.CNI == "" {
		return dir
	}
	text := fmt.Sprintf(`{"cniVersion": "0.4.0", "name": "e2e", "plugins": [{"type": "ptp", "ipam": {
  "type": "host-local", "dataDir": %q, "ranges": [[{"subnet": %q}]]}}]}
`, filepath.Join(n.Dir, "addresses"), n.subnet())
	if err := os.WriteFile(filepath.Join(dir, "e2e.conflist"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// subnet is one of the addresses for benchmarks (RFC 2544), which no other network has, and seldom that of another node's folder.
func (n *Node) subnet() string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(n.Dir))
	sum := h.Sum32()
	return fmt.Sprintf("198.%d.%d.0/24", 18+sum>>8&1, sum&0xff)
}
