package agreement_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/placement/placementtest"
)

const (
	seed      = 14
	nodeCount = 12
)

// kinds are the kinds of the table, with how many workloads each class has of them.
var kinds = []struct {
	name  string
	count int
}{{"Deployment", 2}, {"Pod", 1}, {"DaemonSet", 1}}

// everything is the class of random pods.
const everything = "everything at once"

// workload is one row of the table.
type workload struct {
	name, kind string
	class      placementtest.Class
	spec       corev1.PodSpec
}

func (w *workload) daemon() bool { return w.kind == "DaemonSet" }

// object is the workload as it stands in the render, under a name.
func (w *workload) object(name string, spec corev1.PodSpec) any {
	return placementtest.Workload(w.kind, name, spec)
}

// table is what is compared: every workload on every node.
type table struct {
	nodes     []*corev1.Node
	workloads []*workload
}

func newTable() *table {
	r := rand.New(rand.NewPCG(seed, nodeCount))
	all := &table{}
	for _, name := range placementtest.Names(nodeCount) {
		node := placementtest.Node(r, name)
		placementtest.Settle(node)
		all.nodes = append(all.nodes, node)
	}
	for _, class := range placementtest.Classes() {
		for _, kind := range kinds {
			for range kind.count * weight(class) {
				name := fmt.Sprintf("w%03d", len(all.workloads))
				all.workloads = append(all.workloads, &workload{name, kind.name, class, forTheCluster(class.Spec(r, all.nodes))})
			}
		}
	}
	return all
}

// weight is how much more of a class there is than of others.
func weight(class placementtest.Class) int {
	switch {
	case class.Name == everything:
		return 6
	case class.Rare:
		return 3
	}
	return 1
}

// forTheCluster takes away what only a kubelet would answer to, and there is none: whether a pod that names its node finds
// the resources that it requests.
func forTheCluster(spec corev1.PodSpec) corev1.PodSpec {
	if spec.NodeName != "" {
		return withoutRequests(spec)
	}
	return spec
}

func withoutRequests(spec corev1.PodSpec) corev1.PodSpec {
	spec = *spec.DeepCopy()
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			list[i].Resources = corev1.ResourceRequirements{}
		}
	}
	return spec
}

// render is the table's workloads as a file of a repository.
func (a *table) render(t *testing.T) string {
	t.Helper()
	objects := make([]any, 0, len(a.workloads))
	for _, w := range a.workloads {
		objects = append(objects, w.object(w.name, w.spec))
	}
	text, err := placementtest.Text(objects...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// as turns an object into another form of itself.
func as[T any](object any) (*T, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	out := new(T)
	return out, json.Unmarshal(text, out)
}

// show writes an object for a person.
func show(object any) string {
	text, err := yaml.Marshal(object)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// hard says whether a node has a taint that keeps pods away.
func hard(n *corev1.Node) bool {
	return slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule })
}
