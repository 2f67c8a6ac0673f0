package rules

import (
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

var allowNotArrived = &check.Rule{
	Code: "allow-not-arrived", Group: check.Policy, Severity: finding.Error,
	Title: "An allow entry has not arrived in what Flux applies",
	Help: `The intent says that the workload tolerates a taint, and the built object does not: once the node has the taint the workload
cannot run there. kustomize passes over a patch that matches nothing, and over Berth's function when --enable-exec is missing,
without a word.

Run berth generate and commit what it writes, and make sure that the kustomization lists the component.`,
	Environment: func(p *check.Pass) {
		eachApplied(p, []string{"toleration-added", "carrier"}, func(intent *v1alpha1.TaintIntent, f finding.Finding) {
			message := "it should tolerate " + strings.TrimPrefix(f.Message, "now tolerates ") + " by " + intentFile(intent) + ", and does not"
			if f.Code == "carrier" {
				message = f.Message
			}
			p.Report(onObject(p, f, message, "run berth generate, commit what it writes, and list the component in the kustomization"))
		})
	},
}

var denyNotArrived = &check.Rule{
	Code: "deny-not-arrived", Group: check.Policy, Severity: finding.Error,
	Title: "A deny entry has not arrived in what Flux applies",
	Help: `The intent says that the workload stays off the tainted nodes. Its own tolerations defeat the taints there, so that only a node
affinity keeps it away, and the built object has none.

Run berth generate and commit what it writes, and make sure that the kustomization lists the component.`,
	Environment: func(p *check.Pass) {
		eachApplied(p, []string{"affinity-added"}, func(intent *v1alpha1.TaintIntent, f finding.Finding) {
			p.Report(onObject(p, f, "it should stay off the tainted nodes by "+intentFile(intent)+", and only a node affinity would keep it off, which is not there",
				"run berth generate, commit what it writes, and list the component in the kustomization"))
		})
	},
}

var entryMatchesNothing = &check.Rule{
	Code: "entry-matches-nothing", Group: check.Policy, Severity: finding.Error,
	Title: "An entry of the allowlist selects no workload",
	Help: `The workload was renamed or removed, or the entry has a typing error: the decision that it records holds for nothing.

Correct or remove the entry. optional: true says that not every environment has the workload. When a part of the environment
cannot be seen offline the workload may be in there, and the finding is a warning.`,
	Environment: func(p *check.Pass) {
		severity := finding.Error
		if partlyUnseen(p) {
			severity = finding.Warning
		}
		eachApplied(p, []string{"matches-nothing"}, func(_ *v1alpha1.TaintIntent, f finding.Finding) {
			if f.Severity != finding.Info {
				p.Report(onObject(p, f, inApplied(p, f.Message), f.Action).As(severity))
			}
		})
	},
}

// inApplied makes a message about a render one about what an environment applies.
func inApplied(p *check.Pass, message string) string {
	return strings.ReplaceAll(message, "in this render", "in what Flux applies from "+p.Folder())
}

var daemonSetUndecided = &check.Rule{
	Code: "daemonset-undecided", Group: check.Policy, Severity: finding.Warning,
	Title: "Nobody decided whether a DaemonSet runs on the tainted nodes",
	Help: `A DaemonSet is meant for every node. With a taint it silently loses the nodes that it does not tolerate, or, with a blanket
toleration, stays on nodes that were closed. Either can be right, and somebody should say which.

Add an allow or a deny entry with its reason.`,
	Environment: func(p *check.Pass) {
		eachApplied(p, []string{"daemonset-undecided"}, func(intent *v1alpha1.TaintIntent, f finding.Finding) {
			p.Report(onObject(p, f, "it stands neither in allow nor in deny of "+intentFile(intent), "decide whether it runs on the tainted nodes, and write down why"))
		})
	},
}
