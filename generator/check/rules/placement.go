package rules

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/placement"
)

var pinnedUntolerated = &check.Rule{
	Code: "pinned-untolerated", Group: check.Policy, Severity: finding.Error,
	Title: "A workload is pinned to a node whose taint it does not tolerate",
	Help: `A node selector, an affinity or nodeName leaves only nodes that an intent closes, and the workload does not tolerate their
taints: its pods stay Pending, and what waits for them waits too. A taint keeps others away and draws nobody; a workload for
a dedicated node needs both, the selector and the toleration.

Add an allow entry, or let it run elsewhere.`,
	Environment: func(p *check.Pass) {
		m := p.Placed()
		if m == nil {
			return
		}
		for i, w := range m.Workloads {
			if nodes := pinnedTo(m, i); len(nodes) > 0 {
				f := finding.Finding{Object: &w.Object, Source: w.Source}
				p.Report(onObject(p, f, fmt.Sprintf("it can only run on %s, and does not tolerate the taints there", some(nodes, 3)),
					"add an allow entry, or let it run elsewhere"))
			}
		}
	},
}

// pinnedTo are the nodes that only taints keep a workload from, when no node is left for it and its own fields, not taints,
// close at least one other.
func pinnedTo(m *placement.Matrix, workload int) []string {
	var nodes []string
	narrowed := false
	for j, node := range m.Nodes {
		v := m.At(workload, j)
		if v.New != placement.No {
			return nil
		}
		own, taints := false, false
		for _, r := range v.Reasons {
			if r.Bearing == placement.Blocks {
				taints = taints || r.Code == placement.CodeUntolerated
				own = own || slices.Contains([]string{placement.CodeSelector, placement.CodeAffinity, placement.CodeOtherNode}, r.Code)
			}
		}
		narrowed = narrowed || own
		if taints && !own {
			nodes = append(nodes, node.Name)
		}
	}
	if !narrowed {
		return nil
	}
	return nodes
}

var nodeNameBypass = &check.Rule{
	Code: "node-name-bypass", Group: check.Policy, Severity: finding.Error,
	Title: "nodeName puts a workload on a tainted node past the scheduler",
	Help: `spec.nodeName skips the scheduler, and the kubelet looks at NoExecute taints alone: a NoSchedule taint does not keep the pod
away (kubernetes/kubernetes#114654).

Remove nodeName and use a node selector, with an allow entry when the workload is wanted there.`,
	Environment: func(p *check.Pass) {
		m := p.Placed()
		if m == nil {
			return
		}
		for i, w := range m.Workloads {
			for j, node := range m.Nodes {
				if !hasReason(m.At(i, j), placement.CodeBypassed) || hasReason(m.At(i, j), placement.CodeOtherNode) {
					continue
				}
				f := finding.Finding{Object: &w.Object, Source: w.Source}
				p.Report(onObject(p, f, fmt.Sprintf("nodeName puts it on %s past the scheduler, so that its taints do not keep it away", node.Name),
					"use a node selector instead, with an allow entry when it is wanted there"))
			}
		}
	},
}

var noHome = &check.Rule{
	Code: "no-untainted-home", Group: check.Policy, Severity: finding.Error,
	Title: "No node is left without a taint",
	Help: `Every node of the intents has a taint that keeps pods away. What tolerates none of them has nowhere to go: CoreDNS, the
metrics server, the jobs of Helm charts, and every workload that nobody listed (k3s-io/k3s#7033).

Leave at least one node without a taint. Nodes that no intent lists are not known here: list all of them.`,
	Environment: func(p *check.Pass) {
		for _, intent := range p.Declared.Intents {
			home := false
			for _, other := range p.Declared.Intents {
				home = home || hasHome(other)
			}
			if !home {
				p.Report(atIntent(intent, "spec.nodes", "every node has a taint that keeps pods away, so that what tolerates none of them has no home",
					"leave at least one node without a taint, or list the nodes that are missing"))
			}
		}
	},
}

func hasReason(v *placement.Verdict, code string) bool {
	return slices.ContainsFunc(v.Reasons, func(r placement.Reason) bool { return r.Code == code })
}
