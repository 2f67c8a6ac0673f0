package toleration

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

// deny keeps a workload off the tainted nodes. Where the taints do that by themselves nothing is edited; where the
// workload's own tolerations defeat them a required node affinity says so, which is the only thing that keeps a pod
// with a blanket toleration off a node.
func (r *run) deny(t target, s slot) error {
	open := r.open(s)
	if len(open) == 0 {
		return r.suffices(t, s)
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
		return r.guard(t, s, path)
	}
	missing := s.ChartDefaults && tree.IsNull(tree.Lookup(s.root, s.NodeAffinity...))
	if err := r.set(t, s, path, terms); err != nil {
		return err
	}
	if missing {
		f := t.Find(finding.Warning, "helm-value-created", s.field(path), s.node(s.list), "the node affinity was not set and was created")
		f.Action = "check that the chart reads it, and repeat the chart's own default affinity there"
		r.add(f)
	}
	because := r.because(s, open)
	r.add(t.Find(finding.Info, "affinity-added", s.field(path), s.node(s.list), fmt.Sprintf("a node affinity now keeps it off %s, since %s", nodes, because)))
	return nil
}

// suffices says that nothing had to be edited, and what that relies on.
func (r *run) suffices(t target, s slot) error {
	message := "tolerates no tainted node completely: the taints keep it away and nothing was edited"
	if len(r.intent.TaintedNodes()) == 0 {
		message = "the intent taints no node, so that there is none to keep it off"
	}
	r.add(s.find(t, finding.Info, "taint-suffices", s.list, message))
	r.bypasses(t, s)
	return r.guard(t, s, s.Tolerations)
}

// bypasses warns about a pod that asks no scheduler: only NoExecute is checked for it, by the kubelet
// (kubernetes/kubernetes#114654).
func (r *run) bypasses(t target, s slot) {
	if s.text != nil || len(s.Tolerations) == 0 {
		return
	}
	node := tree.Lookup(s.root, s.Tolerations.Beside("nodeName")...)
	if tree.IsNull(node) || node.Value == "" {
		return
	}
	f := t.Find(finding.Warning, "node-name", s.Tolerations.Beside("nodeName"), node,
		fmt.Sprintf("nodeName puts it on %s without asking the scheduler, so that a NoSchedule taint does not keep it away", node.Value))
	f.Action = "remove nodeName, or taint the node NoExecute"
	r.add(f)
}

// because says why the taints of the nodes do not keep a workload away.
func (r *run) because(s slot, open []string) string {
	switch {
	case s.list == nil && s.ChartDefaults:
		return "the chart's default tolerations cannot be seen and may defeat the taints there"
	case !slices.ContainsFunc(open, func(node string) bool { return blocks(r.intent.NodeTaints(node)) }):
		return "PreferNoSchedule taints keep nothing away"
	case slices.ContainsFunc(s.entries, func(e entry) bool { return e.unresolved }):
		return "its tolerations defeat the taints there, or may when ${...} is replaced"
	}
	return "its tolerations defeat the taints there"
}

func blocks(taints []v1alpha1.Taint) bool {
	return slices.ContainsFunc(taints, func(t v1alpha1.Taint) bool { return t.Effect != v1alpha1.PreferNoSchedule })
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
// must be tolerated, and PreferNoSchedule blocks nothing. An entry that still holds ${...} may become anything: a denial
// has to hold then too.
func opens(entries []entry, taints []v1alpha1.Taint) bool {
	for _, taint := range taints {
		if taint.Effect == v1alpha1.PreferNoSchedule {
			continue
		}
		tolerated := false
		for i := range entries {
			tolerated = tolerated || entries[i].unresolved || entries[i].tolerates(taint)
		}
		if !tolerated {
			return false
		}
	}
	return true
}
