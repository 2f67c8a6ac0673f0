package toleration

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// deny keeps a workload off the tainted nodes. Where the taints do that by themselves nothing is edited; where the
// workload's own tolerations defeat them a required node affinity says so, which is the only thing that keeps a pod
// with a blanket toleration off a node.
func (r *run) deny(t target, s slot) error {
	open := r.open(s)
	if len(open) == 0 {
		r.add(s.find(t, finding.Info, "taint-suffices", s.list,
			"tolerates no tainted node completely: the taints keep it away and nothing was edited"))
		return nil
	}
	if s.NodeAffinity == nil {
		return noAffinity(t, s, "its tolerations open "+strings.Join(open, ", ")+", and only a node affinity could keep it off")
	}
	path, terms, err := excluding(s.root, s.NodeAffinity, open)
	if err != nil {
		return err
	}
	nodes := strings.Join(open, ", ")
	if terms == nil {
		r.add(t.Find(finding.Info, "affinity-present", s.field(path), s.node(s.list), "its node affinity already keeps it off "+nodes))
		return nil
	}
	if err := r.set(t, s, path, terms); err != nil {
		return err
	}
	because := "its tolerations defeat the taints there"
	if s.list == nil && s.ChartDefaults {
		because = "the chart's default tolerations cannot be seen and may defeat the taints there"
	}
	r.add(t.Find(finding.Info, "affinity-added", s.field(path), s.node(s.list), fmt.Sprintf("a node affinity now keeps it off %s, since %s", nodes, because)))
	return nil
}

// noAffinity says that an affinity is needed where nobody knows its place.
func noAffinity(t target, s slot, why string) error {
	inside := s.field(s.Tolerations)[len(t.Object.At):]
	return fmt.Errorf("%s: %s, and where %s of %s keeps one for %s is not known; name that list in paths and the place of its NodeAffinity in nodeAffinity",
		inside, why, t.Object.Kind, t.Object.APIVersion, inside)
}

// open lists the tainted nodes that the slot's tolerations open completely, sorted. A list that a chart fills in may
// open them all.
func (r *run) open(s slot) []string {
	return openNodes(r.intent, s.entries, s.list == nil && s.ChartDefaults)
}

func openNodes(intent *v1alpha1.TaintIntent, entries []entry, unknown bool) []string {
	var open []string
	for _, node := range intent.TaintedNodes() {
		if unknown || opens(entries, intent.NodeTaints(node)) {
			open = append(open, node)
		}
	}
	return open
}

// opens says whether a pod with these tolerations may be scheduled on a node with these taints: each one that blocks
// must be tolerated, and PreferNoSchedule blocks nothing.
func opens(entries []entry, taints []v1alpha1.Taint) bool {
	for _, taint := range taints {
		if taint.Effect == v1alpha1.PreferNoSchedule {
			continue
		}
		tolerated := false
		for i := range entries {
			tolerated = tolerated || entries[i].tolerates(taint)
		}
		if !tolerated {
			return false
		}
	}
	return true
}
