package rules

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/toleration"
	"github.com/berth-dev/berth/generator/tree"
)

var hiddenGrant = &check.Rule{
	Code: "hidden-grant", Group: check.Policy, Severity: finding.Warning,
	Title: "Something gives tolerations to workloads that do not carry them",
	Help: `A toleration need not stand in the workload. A RuntimeClass adds its scheduling.tolerations to every pod of the class; the
annotation scheduler.alpha.kubernetes.io/defaultTolerations of a Namespace adds them to every pod in it, where the admission
plugin PodTolerationRestriction is on; a mutating policy of Kyverno or Gatekeeper does as it likes. The allowlist does not see
them.

Make sure that what they tolerate is meant, and ignore the finding with that reason.`,
	Environment: func(p *check.Pass) {
		if len(p.Declared.Intents) == 0 {
			return
		}
		for o := range p.Objects() {
			switch {
			case is(o, "node.k8s.io", "RuntimeClass"):
				entries, _ := toleration.ReadList(tree.Lookup(o.Node(), "scheduling", "tolerations"))
				reportGrant(p, o, []string{"scheduling", "tolerations"}, entries, "every pod of the class")
			case is(o, "", "Namespace"):
				path := tree.Path{"metadata", "annotations", "scheduler.alpha.kubernetes.io/defaultTolerations"}
				entries, _ := toleration.ReadList(parse(text(o.Node(), path...)))
				reportGrant(p, o, path, entries, "every pod of the namespace, where PodTolerationRestriction is on")
			case isPolicy(o):
				reportPolicy(p, o)
			}
		}
	},
}

func reportGrant(p *check.Pass, o *flux.Object, path tree.Path, entries []toleration.Entry, to string) {
	for _, intent := range p.Declared.Intents {
		granted := slices.DeleteFunc(allTaints(intent), func(t v1alpha1.Taint) bool {
			return !slices.ContainsFunc(entries, func(e toleration.Entry) bool { return e.Tolerates(t) })
		})
		if len(granted) > 0 {
			p.Report(check.On(o, path, fmt.Sprintf("it gives the toleration of %s to %s", granted[0], to),
				"make sure that this is meant, and ignore the finding with the reason"))
		}
	}
}

// reportPolicy finds policies that write tolerations. What they write to which pods is not worked out.
func reportPolicy(p *check.Pass, o *flux.Object) {
	reported := false
	walk(o.Node(), func(path tree.Path, node *yaml.Node) {
		if reported || !slices.ContainsFunc(path, func(step string) bool { return strings.HasPrefix(step, "mutat") }) && !strings.HasPrefix(o.Kind, "Assign") && !strings.HasPrefix(o.Kind, "Mutating") {
			return
		}
		if isTolerations(path) || node.Kind == yaml.ScalarNode && strings.Contains(node.Value, "tolerations") {
			reported = true
			p.Report(check.On(o, clone(path), "the policy may write tolerations into workloads at admission, which no check of files sees",
				"make sure that it opens no tainted node, and ignore the finding with the reason"))
		}
	})
}
