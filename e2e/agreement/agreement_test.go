package agreement_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/generator/placement/placementtest"
)

// comparison is a table, what berth said of it, and the cluster that says what is so.
type comparison struct {
	*cluster
	*table
	refused map[string]bool
	began   map[string]time.Time
	said    map[pair]verdict
}

func TestExplainAgreesWithTheRunningClusterOnEveryPair(t *testing.T) {
	c := &comparison{cluster: newCluster(t), table: newTable(), refused: map[string]bool{}}
	step(t, "a control plane")
	c.addNodes(t, c.nodes)
	taken := c.taken(t)
	step(t, "nodes, and what the API server refuses")
	c.startRunning(t, c.table, taken)
	step(t, "pods that run everywhere")
	c.began = c.taint(t, c.nodes)
	c.place(t, taken)
	step(t, "taints, cordons and conditions")
	c.said = c.explain(t, c.render(t))
	step(t, "berth explain")
	c.start(t, c.table, taken)
	step(t, "new pods")
	c.decided(t, taken)
	step(t, "each of them decided on")
	c.guardsGone(t)
	step(t, "the last eviction")

	wrong := c.disagreements(t)
	for deadline := time.Now().Add(time.Minute); len(wrong) > 0 && time.Now().Before(deadline); wrong = c.disagreements(t) {
		time.Sleep(time.Second) // a controller may be busy yet: the scheduler tries again, too
	}
	if len(wrong) > 0 {
		t.Fatalf("%d pairs on which they do not agree:\n%s", len(wrong), strings.Join(wrong[:min(len(wrong), 5)], "\n"))
	}
	t.Logf("%d pairs agree", len(c.said))
	counts := c.count()
	counts.covered(t, placementtest.Classes())
	writePage(t, counts)
}

// step says in the log what was done, and when.
func step(t *testing.T, what string) {
	t.Helper()
	t.Logf("%s %s", time.Now().Format(time.TimeOnly), what)
}

// taken asks the API server which workloads it takes, and returns those.
func (c *comparison) taken(t *testing.T) []*workload {
	t.Helper()
	answers := make([]bool, len(c.workloads))
	inParallel(t, len(answers), func(ctx context.Context, i int) (err error) {
		answers[i], err = c.refuses(ctx, c.workloads[i])
		return err
	})
	var taken []*workload
	for i, w := range c.workloads {
		if c.refused[w.name] = answers[i]; !answers[i] {
			taken = append(taken, w)
		}
	}
	return taken
}

// disagreements describes the pairs of which the cluster and berth do not say the same.
func (c *comparison) disagreements(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, w := range c.workloads {
		for _, node := range c.nodes {
			said, found := c.said[pair{w.name, node.Name}]
			wrong := ""
			if !found {
				wrong = "berth says nothing of it"
			} else if err := c.compare(t, w, node.Name, said); err != nil {
				wrong = err.Error()
			}
			if wrong != "" {
				all = append(all, fmt.Sprintf("%s %s (%s) on %s: %s\nberth says %s %v\n%s---\n%s", w.kind, w.name, w.class.Name,
					node.Name, wrong, said, said.Reasons, show(w.object(w.name, w.spec)), show(node)))
			}
		}
	}
	return all
}

// compare returns what the cluster says otherwise than berth.
func (c *comparison) compare(t *testing.T, w *workload, node string, said verdict) error {
	t.Helper()
	if refused := c.refused[w.name]; refused || said.refused() {
		if refused != said.refused() {
			return fmt.Errorf("the API server refuses it: %t", refused)
		}
		return nil
	}
	if !w.past(node) {
		if starts := c.starts(t, w, node); said.New != map[bool]string{true: "yes", false: "no"}[starts] {
			return fmt.Errorf("a new pod comes to the node: %t", starts)
		}
	}
	if !w.canRun(node) {
		return nil
	}
	fate, err := c.fateOf(t, w, node, c.began[node])
	if err == nil && !said.foretells(fate, w.daemon()) {
		err = fmt.Errorf("a pod that runs there %s", fate)
	}
	return err
}

// past says that a pod comes to a node past scheduler and controllers, so that only a kubelet would keep it away.
func (w *workload) past(node string) bool { return !w.daemon() && w.spec.NodeName == node }

// canRun says that a pod of the workload can have come to a node at all.
func (w *workload) canRun(node string) bool {
	return w.daemon() || w.spec.NodeName == "" || w.past(node)
}

// foretells says whether a fate is the one that berth told. From a node with a NoExecute taint, a pod of a DaemonSet
// may be taken by the DaemonSet controller just as well.
func (v verdict) foretells(f fate, daemon bool) bool {
	switch v.Running {
	case "stays":
		return !f.gone
	case "evicted":
		return f.gone && (f.byTaint || daemon)
	case "removed":
		return f.gone && !f.byTaint
	case "evicted-later":
		if !f.gone {
			return v.Seconds > placementtest.Soon // its time has not come
		}
		// The API server cuts off fractions of a second.
		return f.byTaint && f.after+time.Second >= time.Duration(v.Seconds)*time.Second
	}
	return false
}
