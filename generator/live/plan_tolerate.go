package live

import (
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// tolerateSteps returns a step for each entry of the allowlists whose taints are about to be put on a node: its
// workloads must tolerate them, and their pods must be of that template, before.
func (p *planner) tolerateSteps(changes []Step) []Step {
	var pending []v1alpha1.Taint
	for _, step := range changes {
		pending = append(pending, added(step.Deltas)...)
	}
	if len(pending) == 0 {
		return nil
	}
	of := func(t v1alpha1.Taint) bool { return slices.Contains(pending, t) }
	var steps []Step
	for _, g := range p.grants() {
		if !slices.ContainsFunc(g.taints, of) {
			continue
		}
		if g.absent() {
			p.note("allowed-is-absent", nil, g.entry.Workload.String()+" is allowed and not in the cluster: nothing to wait for")
			continue
		}
		step := Step{Kind: Tolerate, About: g.entry.Workload.String(), Tolerates: texts(g.taints)}
		for _, blocker := range slices.Concat(g.missing(of), g.behind(of)) {
			if !p.accepts(blocker.Code) {
				step.Blockers = append(step.Blockers, blocker)
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// block finds what makes a node's step unsafe: volumes whose pods could not come back, and a cluster without a home.
func (p *planner) block(steps []Step) {
	pins := p.pins()
	first := true
	for i := range steps {
		taints := added(steps[i].Deltas)
		if len(untolerated(nil, taints)) == 0 {
			continue
		}
		for _, pin := range pins {
			if slices.Contains(pin.nodes, steps[i].Node) && !pin.idle {
				about := finding.Object{APIVersion: "v1", Kind: "PersistentVolume", Name: pin.volume.Name}
				p.unsafe(&steps[i], "pinned-volume", &about, pin.message(p.view), pinAction)
			}
		}
		if first && len(p.homes()) == 0 && !p.homesAfterUncordon() {
			p.unsafe(&steps[i], "no-home-left", nil, "no node would be left that takes pods without a toleration, such as cluster DNS", "keep one node without taints")
		}
		first = false
	}
}

// homesAfterUncordon is for a cluster whose only untainted nodes are cordoned for now: that is not the plan's doing.
func (p *planner) homesAfterUncordon() bool {
	for i := range p.Nodes {
		node := &p.Nodes[i]
		if node.Spec.Unschedulable && len(untolerated(nil, append(p.wants[node.Name].taints(), foreign(node, p.wants[node.Name])...))) == 0 {
			return true
		}
	}
	return false
}

func (p *planner) unsafe(step *Step, code string, about *finding.Object, message, action string) {
	if p.accepts(code) {
		p.note(code, about, message+" (accepted)")
		return
	}
	step.Blockers = append(step.Blockers, finding.Finding{Code: code, Severity: finding.Error, Object: about, Message: message,
		Action: action + ", or say --accept " + code})
}

// uncordonSteps returns a step for each cordoned node that the intents taint.
func (p *planner) uncordonSteps() []Step {
	var steps []Step
	for i := range p.Nodes {
		node := &p.Nodes[i]
		if node.Spec.Unschedulable && len(p.wants[node.Name].taints()) > 0 {
			steps = append(steps, Step{Kind: UncordonNode, Node: node.Name, Deltas: []Delta{{Operation: Uncordon}}})
		}
	}
	return steps
}
