package live

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// nodeArgs is what k3s or RKE2 was started with, as it wrote down on the Node itself: the values of its configuration
// files and of its command line (k3s pkg/nodeconfig/nodeconfig.go, since v1.21.1+k3s1; secrets are masked).
type nodeArgs struct {
	annotation string
	taints     []v1alpha1.Taint
	labels     map[string]string
	// unreadable lists values that are no taint.
	unreadable []string
}

// readNodeArgs reads k3s.io/node-args or rke2.io/node-args. It returns nil where the annotation is missing.
func readNodeArgs(node *corev1.Node, distribution v1alpha1.Distribution) (*nodeArgs, error) {
	name := string(distribution) + ".io/node-args"
	text, found := node.Annotations[name]
	if !found {
		return nil, nil //nolint:nilnil // most clusters are not k3s: no annotation is no fault
	}
	var args []string
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		return nil, fmt.Errorf("the annotation %s is no JSON list of strings: %w", name, err)
	}
	read := &nodeArgs{annotation: name, labels: map[string]string{}}
	for _, value := range flagValues(args, "node-taint") {
		taint, err := v1alpha1.ParseTaint(value)
		if err != nil {
			read.unreadable = append(read.unreadable, value)
			continue
		}
		read.taints = append(read.taints, taint)
	}
	for _, value := range flagValues(args, "node-label") {
		key, value, _ := strings.Cut(value, "=")
		read.labels[key] = value
	}
	return read, nil
}

// flagValues collects the values of a repeatable flag, written --flag=value or --flag value, with one dash or two.
func flagValues(args []string, flag string) []string {
	var values []string
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		if name != "--"+flag && name != "-"+flag {
			continue
		}
		if !joined {
			if i++; i == len(args) {
				break
			}
			value = args[i]
		}
		values = append(values, value)
	}
	return values
}
