package podspec

import (
	"strings"

	"github.com/berth-dev/berth/generator/tree"
)

// row says where one kind keeps the tolerations of its pods.
type row struct {
	group, kind string
	// paths are patterns as tree.Parse reads them.
	paths []string
}

const template = "spec.template.spec.tolerations"

// builtin are the kinds of Kubernetes itself that hold a pod template (Kubernetes API reference v1.36), and the class
// whose tolerations are added to every pod that names it.
var builtin = []row{
	{"", "Pod", []string{"spec.tolerations"}},
	{"", "PodTemplate", []string{"template.spec.tolerations"}},
	{"", "ReplicationController", []string{template}},
	{"apps", "DaemonSet", []string{template}},
	{"apps", "Deployment", []string{template}},
	{"apps", "ReplicaSet", []string{template}},
	{"apps", "StatefulSet", []string{template}},
	{"batch", "CronJob", []string{"spec.jobTemplate.spec.template.spec.tolerations"}},
	{"batch", "Job", []string{template}},
	{"node.k8s.io", "RuntimeClass", []string{"scheduling.tolerations"}},
}

func find(rows []row, group, kind string) []string {
	for _, r := range rows {
		if r.group == group && r.kind == kind {
			return r.paths
		}
	}
	return nil
}

// known returns the patterns of a kind, in the order in which they are listed, and nothing for a kind that is not known.
func known(o Object) []string {
	group := Group(o.APIVersion)
	for _, rows := range [][]row{builtin, opaque} {
		if paths := find(rows, group, o.Kind); paths != nil {
			return paths
		}
	}
	return catalogued(group, o.Kind, version(o.APIVersion))
}

// mustParse parses a pattern of the tables; a test parses every one.
func mustParse(pattern string) tree.Path {
	path, err := tree.Parse(pattern)
	if err != nil {
		panic("podspec: " + err.Error())
	}
	return path
}

// Group returns the API group of an apiVersion: apps for apps/v1, nothing for v1.
func Group(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

func version(apiVersion string) string { return apiVersion[strings.IndexByte(apiVersion, '/')+1:] }
