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
		r.add(t.Find(finding.Info, "taint-suffices", s.Tolerations, s.list,
			"tolerates no tainted node completely: the taints keep it away and nothing was edited"))
		return nil
	}
	path, terms, err := excluding(s.root, s.Affinity, open)
	if err != nil {
		return err
	}
	nodes := strings.Join(open, ", ")
	if terms == nil {
		r.add(t.Find(finding.Info, "affinity-present", path, s.list, "its node affinity already keeps it off "+nodes))
		return nil
	}
	if err := r.write(t, path, terms); err != nil {
		return err
	}
	because := "its tolerations defeat the taints there"
	if s.list == nil && s.ChartDefaults {
		because = "the chart's default tolerations cannot be seen and may defeat the taints there"
	}
	r.add(t.Find(finding.Info, "affinity-added", path, s.list, fmt.Sprintf("a node affinity now keeps it off %s, since %s", nodes, because)))
	return nil
}

// open lists the tainted nodes that the slot's tolerations open completely, sorted. A list that a chart fills in may
// open them all.
func (r *run) open(s slot) []string {
	unknown := s.list == nil && s.ChartDefaults
	var open []string
	for _, node := range r.intent.TaintedNodes() {
		if unknown || opens(s.entries, r.intent.NodeTaints(node)) {
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
