package podspec

import (
	"strings"

	"github.com/berth-dev/berth/generator/tree"
)

// row says where one kind keeps the tolerations of its pods.
type row struct {
	group, kind string
	// tolerations is a pattern as tree.Parse reads it; the affinity stands beside the last step.
	tolerations string
}

// builtin are the kinds of Kubernetes itself that hold a pod template (Kubernetes API reference v1.36).
var builtin = []row{
	{"", "Pod", "spec.tolerations"},
	{"", "PodTemplate", "template.spec.tolerations"},
	{"", "ReplicationController", "spec.template.spec.tolerations"},
	{"apps", "DaemonSet", "spec.template.spec.tolerations"},
	{"apps", "Deployment", "spec.template.spec.tolerations"},
	{"apps", "ReplicaSet", "spec.template.spec.tolerations"},
	{"apps", "StatefulSet", "spec.template.spec.tolerations"},
	{"batch", "CronJob", "spec.jobTemplate.spec.template.spec.tolerations"},
	{"batch", "Job", "spec.template.spec.tolerations"},
}

// patterns returns the table's patterns for a kind, in table order.
func patterns(apiVersion, kind string) []tree.Path {
	var out []tree.Path
	for _, r := range builtin {
		if r.group == Group(apiVersion) && r.kind == kind {
			path, err := tree.Parse(r.tolerations)
			if err != nil {
				continue // a test parses every row
			}
			out = append(out, path)
		}
	}
	return out
}

// Group returns the API group of an apiVersion: apps for apps/v1, nothing for v1.
func Group(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}
