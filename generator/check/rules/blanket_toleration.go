package rules

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/toleration"
)

var blanketToleration = &check.Rule{
	Code: "blanket-toleration", Group: check.Policy, Severity: finding.Error,
	Title: "A toleration without a key reaches a tainted node",
	Help: `operator: Exists without a key tolerates every taint (of one effect, when an effect stands there). The workload runs on the
nodes that an intent closes, and no allow entry says that it may. Many charts have it by default: prometheus-node-exporter,
log shippers, CNI and CSI drivers.

Decide: an allow entry says that it is wanted there. A deny entry keeps it off with a node affinity, which is the only thing
that does, since a taint cannot exclude a blanket toleration. Or replace the list in the chart's values by the tolerations
that are meant: Helm replaces lists, and [] removes the default.`,
	Environment: func(p *check.Pass) {
		eachTolerations(p, func(l tolerationList) {
			for _, intent := range p.Declared.Intents {
				if denied(intent, l.object) {
					continue
				}
				if nodes := blanketNodes(intent, l); len(nodes) > 0 {
					p.Report(check.On(l.object, l.path, fmt.Sprintf("an entry without a key lets it run on %s, and no allow entry says that it may", some(nodes, 3)),
						fmt.Sprintf("decide in %s: allow or deny, or name the taints that are meant", intentFile(intent))))
				}
			}
		})
	},
}

// blanketNodes are the tainted nodes that a list opens by entries without a key, and that the allowlist does not open.
func blanketNodes(intent *v1alpha1.TaintIntent, l tolerationList) []string {
	var nodes []string
	for _, node := range intent.TaintedNodes() {
		taints := blocking(intent.NodeTaints(node))
		byBlanket := func(t v1alpha1.Taint) bool {
			named := slices.ContainsFunc(l.entries, func(e toleration.Entry) bool { return e.Names(t) })
			return !named && slices.ContainsFunc(l.entries, func(e toleration.Entry) bool { return e.Blanket() && e.Tolerates(t) })
		}
		forbidden := func(t v1alpha1.Taint) bool { return !allowed(intent, l.object, t) && byBlanket(t) }
		if toleration.Opens(l.entries, taints) && slices.ContainsFunc(taints, forbidden) {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// blocking are the taints that keep pods away.
func blocking(taints []v1alpha1.Taint) []v1alpha1.Taint {
	return slices.DeleteFunc(slices.Clone(taints), func(t v1alpha1.Taint) bool { return t.Effect == v1alpha1.PreferNoSchedule })
}

func intentFile(intent *v1alpha1.TaintIntent) string {
	if file := intent.Position("spec").File; file != "" {
		return file
	}
	return "the intent " + intent.Metadata.Name
}
