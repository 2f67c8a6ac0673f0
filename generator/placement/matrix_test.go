package placement_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/placement"
	"github.com/berth-dev/berth/generator/placement/placementtest"
	"github.com/berth-dev/berth/generator/stream"
)

// Nodes that are decided together must be those that are decided alike one by one, down to the last reason.
func TestTheMatrixSaysWhatTheLoopOverAllPairsSays(t *testing.T) {
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := random(t, r, 25, 40, seed%3 != 0)
		m := placement.NewMatrix(c)
		for w := range c.Workloads {
			for n := range c.Nodes {
				want := placement.Decide(c.Workloads[w], c.Nodes[n])
				if got := m.At(w, n); !reflect.DeepEqual(&want, got) {
					t.Fatalf("seed %d: %s on %s: -one by one +together:\n%s", seed, c.Workloads[w], c.Nodes[n].Name, cmp.Diff(&want, got))
				}
			}
		}
		columns(t, m)
	}
}

// columns checks that the columns hold every node once, and that no two of them are the same.
func columns(t *testing.T, m *placement.Matrix) {
	t.Helper()
	nodes := 0
	seen := map[string]bool{}
	for c, column := range m.Columns {
		nodes += len(column)
		var text strings.Builder
		for _, row := range m.Cells {
			fmt.Fprint(&text, row[c], " ")
		}
		if len(m.Cells) > 0 && seen[text.String()] {
			t.Error("two columns are the same")
		}
		seen[text.String()] = true
	}
	if nodes != len(m.Nodes) {
		t.Errorf("%d nodes in the columns, %d in all", nodes, len(m.Nodes))
	}
}

// Unknown is a promise: whatever labels a node turns out to have, a definite answer stays.
func TestADefiniteAnswerHoldsWhateverTheLabelsTurnOutToBe(t *testing.T) {
	decided := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		names := placementtest.Names(4)
		var render, nodes []any
		for i := range 20 {
			render = append(render, placementtest.Workload(placementtest.Kinds[r.IntN(3)], fmt.Sprintf("w%d", i), placementtest.PodSpec(r, names)))
		}
		full := []any{}
		for _, name := range names {
			node := placementtest.Node(r, name)
			node.Labels[corev1.LabelHostname] = name // as an intent takes it to be
			full = append(full, node)
			part := node.DeepCopy()
			part.Labels = map[string]string{"kubernetes.io/hostname": name}
			part.Status = corev1.NodeStatus{}
			nodes = append(nodes, part)
		}
		some, all := cluster(t, render, nodes), cluster(t, render, full)
		for w := range some.Workloads {
			for n := range some.Nodes {
				guess, truth := placement.Decide(some.Workloads[w], some.Nodes[n]), placement.Decide(all.Workloads[w], all.Nodes[n])
				if truth.New == placement.Unknown {
					t.Fatalf("seed %d: unknown although everything is known: %+v", seed, truth)
				}
				if blockedByAmount(truth) || guess.New == placement.Unknown {
					continue
				}
				decided++
				if guess.New != truth.New {
					t.Fatalf("seed %d: %s on %s: said %v, is %v\n%+v\n%+v", seed, some.Workloads[w], some.Nodes[n].Name, guess.New, truth.New, guess.Reasons, truth.Reasons)
				}
			}
		}
	}
	if decided < 700 {
		t.Errorf("only %d definite answers: the test shows too little", decided)
	}
}

// blockedByAmount says whether a node is too small: how much CPU it has is not known without its status, and then not
// asked for.
func blockedByAmount(v placement.Verdict) bool {
	return slices.ContainsFunc(v.Reasons, func(r placement.Reason) bool {
		return r.Code == placement.CodeResource && r.Bearing == placement.Blocks
	})
}

func random(t testing.TB, r *rand.Rand, workloads, nodes int, live bool) *placement.Cluster {
	t.Helper()
	names := placementtest.Names(nodes)
	var render, objects []any
	for i := range workloads {
		spec := placementtest.PodSpec(r, names[:5])
		render = append(render, placementtest.Workload(placementtest.Kinds[r.IntN(4)], fmt.Sprintf("w%d", i), spec))
	}
	for _, name := range names {
		node := placementtest.Node(r, name)
		if !live {
			node.Labels, node.Status.NodeInfo.KubeletVersion = nil, ""
		}
		objects = append(objects, node)
	}
	return cluster(t, render, objects)
}

func cluster(t testing.TB, render, nodes []any) *placement.Cluster {
	t.Helper()
	c, err := placement.Read(placement.Input{Render: documents(t, render), Nodes: documents(t, nodes)})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Findings) > 0 {
		t.Fatal(c.Findings)
	}
	return c
}

func documents(t testing.TB, objects []any) []*stream.Item {
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
