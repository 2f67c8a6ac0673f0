package scheduler

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/placement"
	"github.com/berth-dev/berth/generator/placement/placementtest"
	"github.com/berth-dev/berth/generator/stream"
)

// workload is one and the same for both sides.
type workload struct {
	kind string
	spec corev1.PodSpec
}

func TestPlacementAgreesWithKubernetesOnEveryPair(t *testing.T) {
	k := newKubernetes(t)
	tally := map[string]int{}
	total := 0
	for seed := range uint64(40) {
		workloads, nodes := random(seed)
		matrix := placement.NewMatrix(readText(t, workloads, nodes))
		for w, mine := range matrix.Workloads {
			for n, node := range matrix.Nodes {
				theirs := k.answer(t, workloads[mine.Object.Name], nodes[n])
				ours := describe(matrix.At(w, n))
				if ours != theirs {
					t.Fatalf("seed %d: %s %s on %s: Berth says %s, Kubernetes %s\n%+v\ntolerations %v\nnode %+v", seed, workloads[mine.Object.Name].kind, mine, node.Name, ours, theirs, matrix.At(w, n).Reasons, workloads[mine.Object.Name].spec.Tolerations, nodes[n].Spec)
				}
				tally[workloads[mine.Object.Name].kind+" "+ours]++
				total++
			}
		}
	}
	t.Logf("%d pairs agree", total)
	for _, kind := range placementtest.Kinds {
		for _, state := range []string{"starts, stays", "does not start, stays"} {
			if tally[kind+" "+state] < 20 {
				t.Errorf("only %d cases of %s %s: %v", tally[kind+" "+state], kind, state, tally)
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%6d %s", tally[text], text)
	}
}

func random(seed uint64) (map[string]workload, []*corev1.Node) {
	r := rand.New(rand.NewPCG(seed, 7))
	names := placementtest.Names(12)
	nodes := make([]*corev1.Node, 0, len(names))
	for _, name := range names {
		nodes = append(nodes, placementtest.Node(r, name))
	}
	workloads := map[string]workload{}
	add := func(kind string, spec corev1.PodSpec) {
		workloads[fmt.Sprintf("w%d", len(workloads))] = workload{kind, spec}
	}
	for i := range 40 {
		add(placementtest.Kinds[i%4], placementtest.PodSpec(r, names[:4]))
	}
	for _, class := range placementtest.Classes() {
		for _, kind := range placementtest.Kinds {
			if !class.Refused { // by the API server, which is not here
				add(kind, class.Spec(r, nodes))
			}
		}
	}
	return workloads, nodes
}

func readText(t *testing.T, workloads map[string]workload, nodes []*corev1.Node) *placement.Cluster {
	t.Helper()
	var render, live []any
	for _, name := range slices.Sorted(maps.Keys(workloads)) {
		w := workloads[name]
		render = append(render, placementtest.Workload(w.kind, name, w.spec))
	}
	for _, node := range nodes {
		live = append(live, node)
	}
	c, err := placement.Read(placement.Input{Render: documents(t, render), Nodes: documents(t, live)})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Findings) > 0 {
		t.Fatal(c.Findings)
	}
	return c
}

func documents(t *testing.T, objects []any) []*stream.Item {
	t.Helper()
	text, err := placementtest.Text(objects...)
	if err != nil {
		t.Fatal(err)
	}
	items, err := stream.ReadDocuments("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// answer says in Kubernetes' name whether a new pod starts on a node, and what happens to one that runs there.
func (k *kubernetes) answer(t *testing.T, w workload, node *corev1.Node) string {
	t.Helper()
	pod := &corev1.Pod{Spec: w.spec}
	pod.Name, pod.Namespace = "w", "apps"
	starts, stays, evicted := true, true, int64(-1)
	switch w.kind {
	case "StaticPod":
		pod.Annotations = map[string]string{"kubernetes.io/config.source": "file"}
		starts = k.admits(pod, node)
		return words(starts, stays, evicted)
	case "DaemonSet":
		pod, starts, stays = k.daemon(w.spec, node)
	}
	pod = k.admitted(t, pod)
	if pod.Spec.NodeName == "" {
		starts = starts && k.schedules(t.Context(), pod, node)
	} else {
		starts = starts && k.admits(pod, node)
	}
	return words(starts, stays, evicts(pod, node))
}

func words(starts, stays bool, evicted int64) string {
	text := "does not start, "
	if starts {
		text = "starts, "
	}
	switch {
	case evicted == 0:
		return text + "evicted"
	case !stays:
		return text + "removed"
	case evicted > 0:
		return text + fmt.Sprintf("evicted after %d s", evicted)
	}
	return text + "stays"
}

func describe(v *placement.Verdict) string {
	if v.New == placement.Unknown || v.Running == placement.RunningUnknown {
		return "unknown"
	}
	seconds := int64(-1)
	switch v.Running {
	case placement.Evicted:
		seconds = 0
	case placement.EvictedLater:
		seconds = v.Seconds
	}
	return words(v.New == placement.Yes, v.Running != placement.Removed, seconds)
}
