package live

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/berth-dev/berth/generator/live/livetest"
)

const tainted = `owned: '{"home":{"taints":["berth.dev/wsl:NoSchedule"]}}'
spec:
  taints:
  - effect: NoSchedule
    key: berth.dev/wsl
    value: flaky
`

func TestApplyTaintsTheNodeAndASecondRunChangesNothing(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	if steps := applied(t, cluster, home, PlanOptions{}); steps != 2 {
		t.Errorf("got %d steps, want the node and the verification", steps)
	}
	if diff := cmp.Diff(tainted, specOf(t, server, "kai-desktop-tower")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("spec: null\n", specOf(t, server, "kai-server")); diff != "" {
		t.Error(diff)
	}
	if steps := applied(t, cluster, home, PlanOptions{}); steps != 0 || server.Writes() != 1 {
		t.Errorf("the second run: %d steps, %d writes in all", steps, server.Writes())
	}
}

func TestRemoveLeavesNothingOfOurs(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	putForeign(server, "kai-desktop-tower", "example.com/other")
	before := specOf(t, server, "kai-desktop-tower")
	applied(t, cluster, home, PlanOptions{})
	applied(t, cluster, home, PlanOptions{Remove: true})
	if diff := cmp.Diff(before, specOf(t, server, "kai-desktop-tower")); diff != "" {
		t.Error(diff)
	}
}

func TestANodeThatLeavesTheIntentLosesItsTaint(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	applied(t, cluster, home, PlanOptions{})
	applied(t, cluster, strings.Replace(home, "names: [kai-desktop-tower]", "names: [another]", 1), PlanOptions{})
	if diff := cmp.Diff("spec:\n  taints: []\n", specOf(t, server, "kai-desktop-tower")); diff != "" {
		t.Error(diff)
	}
}

// putForeign adds a taint the way another controller does.
func putForeign(server *livetest.Server, name, key string) {
	node := server.Node(name)
	taints, _, _ := unstructured.NestedSlice(node.Object, "spec", "taints")
	taints = append(taints, map[string]any{"key": key, "effect": "NoExecute", "timeAdded": "2026-01-02T03:04:05Z"})
	_ = unstructured.SetNestedSlice(node.Object, taints, "spec", "taints")
	server.Put(node)
}

func TestAWriterInBetweenLosesNothing(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	races := 0
	server.BeforePatch = func(name string) {
		if races < 5 { // the dry run and the write collide several times
			races++
			putForeign(server, name, fmt.Sprintf("example.com/race-%d", races))
		}
	}
	applied(t, cluster, home, PlanOptions{})
	taints, _, _ := unstructured.NestedSlice(server.Node("kai-desktop-tower").Object, "spec", "taints")
	if len(taints) != 6 || races != 5 {
		t.Errorf("after %d races the node has %d taints, want 6: %v", races, len(taints), taints)
	}
}

func TestAServerThatRestartsIsWaitedFor(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	p := plan(t, cluster, home, PlanOptions{})
	server.GoAway(4)
	if err := cluster.Apply(t.Context(), p, func(Event) {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tainted, specOf(t, server, "kai-desktop-tower")); diff != "" {
		t.Error(diff)
	}
}

func TestPatienceEnds(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	cluster.Retry.Patience = 30 * time.Millisecond
	p := plan(t, cluster, home, PlanOptions{})
	server.GoAway(10000)
	err := cluster.Apply(t.Context(), p, func(Event) {})
	if err == nil || !strings.Contains(err.Error(), "gave up after") || !strings.Contains(err.Error(), server.URL) {
		t.Errorf("got %v", err)
	}
}

func TestUncordonComesAfterTheTaint(t *testing.T) {
	server, cluster := serve(t, strings.Replace(homeNodes, "{name: kai-desktop-tower}", "{name: kai-desktop-tower}\nspec: {unschedulable: true}", 1))
	p := plan(t, cluster, home, PlanOptions{Uncordon: true})
	var order []string
	for _, step := range p.Steps {
		order = append(order, string(step.Kind))
	}
	if diff := cmp.Diff([]string{"node", "uncordon", "verify"}, order); diff != "" {
		t.Fatal(diff)
	}
	if err := cluster.Apply(t.Context(), p, func(Event) {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tainted, specOf(t, server, "kai-desktop-tower")); diff != "" {
		t.Error(diff)
	}
}

func TestANodeWithoutItsTaintStaysCordoned(t *testing.T) {
	server, cluster := serve(t, strings.Replace(homeNodes, "{name: kai-desktop-tower}", "{name: kai-desktop-tower}\nspec: {unschedulable: true}", 1))
	p := plan(t, cluster, home, PlanOptions{Uncordon: true})
	p.Steps = p.Steps[1:] // as if the taint had been lost in between
	err := cluster.Apply(t.Context(), p, func(Event) {})
	if err == nil || !strings.Contains(err.Error(), "stays cordoned") || server.Writes() != 0 {
		t.Errorf("got %v, %d writes", err, server.Writes())
	}
}

func TestAnInterruptedRunGoesOnWhereItStopped(t *testing.T) {
	two := strings.Replace(home, "names: [kai-desktop-tower]", "names: [kai-desktop-tower, kai-wsl]", 1)
	server, cluster := serve(t, homeNodes+"---\napiVersion: v1\nkind: Node\nmetadata: {name: kai-wsl}\n")
	ctx, cancel := context.WithCancel(t.Context())
	err := cluster.Apply(ctx, plan(t, cluster, two, PlanOptions{}), func(Event) { cancel() })
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "1 of 3 steps are done") || server.Writes() != 1 {
		t.Fatalf("got %v, %d writes", err, server.Writes())
	}
	applied(t, cluster, two, PlanOptions{})
	if server.Writes() != 2 {
		t.Errorf("%d writes in all, want one for each node", server.Writes())
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	if err := cluster.DryRun(t.Context(), plan(t, cluster, home, PlanOptions{})); err != nil {
		t.Fatal(err)
	}
	if server.Writes() != 0 {
		t.Errorf("%d writes", server.Writes())
	}
}

func TestSomethingThatUndoesWhatWasWrittenIsFound(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	p := plan(t, cluster, home, PlanOptions{})
	err := cluster.Apply(t.Context(), p, func(e Event) {
		if e.Kind == SetNode {
			server.Put(object(t, "{apiVersion: v1, kind: Node, metadata: {name: kai-desktop-tower}}"))
		}
	})
	if err == nil || !strings.Contains(err.Error(), "something else undid what was written: + berth.dev/wsl=flaky:NoSchedule") {
		t.Errorf("got %v", err)
	}
}
