package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// Logged gives what a container of a pod printed, from the files of the kubelet: the API server has no way to this node's port.
func (n *Node) Logged(t *testing.T, pod *corev1.Pod, container string) string {
	t.Helper()
	folder := strings.Join([]string{pod.Namespace, pod.Name, string(pod.UID)}, "_")
	files, err := filepath.Glob(filepath.Join(n.Dir, "logs", folder, container, "*.log"))
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) { // TIME STREAM F TEXT
			if parts := strings.SplitN(line, " ", 4); len(parts) == 4 {
				said.WriteString(parts[3])
			}
		}
	}
	return said.String()
}
