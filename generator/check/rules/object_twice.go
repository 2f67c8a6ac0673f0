package rules

import (
	"fmt"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var objectTwice = &check.Rule{
	Code: "object-twice", Group: check.Shape, Severity: finding.Warning,
	Title: "Two Kustomizations apply the same object",
	Help: `Each of them overwrites what the other one wrote, at every reconcile, and whichever is removed first prunes the object for both.

Keep the object in one Kustomization. A Namespace that carries kustomize.toolkit.fluxcd.io/prune: disabled in each of them
is not reported: nothing can happen to it.`,
	Environment: func(p *check.Pass) {
		type key struct{ group, kind, namespace, name string }
		first := map[key]*flux.Object{}
		for o := range p.Objects() {
			id := key{o.Group(), o.Kind, o.Namespace, o.Name}
			before := first[id]
			switch {
			case o.NotApplied || o.Encrypted && o.Name == "":
				continue
			case before == nil:
				first[id] = o
				continue
			case before.Kustomization == o.Kustomization || harmlessTwice(before) && harmlessTwice(o):
				continue
			}
			f := check.On(o, nil, fmt.Sprintf("Kustomization %s applies it too (%s)", before.Kustomization.ID, before.Source()),
				"keep it in one of "+before.Kustomization.String()+" and "+o.Kustomization.String())
			p.Report(f)
		}
	},
}

// harmlessTwice says whether an object may be in two Kustomizations: a Namespace that is never pruned.
func harmlessTwice(o *flux.Object) bool {
	return is(o, "", "Namespace") && text(o.Node(), "metadata", "annotations", "kustomize.toolkit.fluxcd.io/prune") == "disabled" ||
		is(o, "", "Namespace") && text(o.Node(), "metadata", "labels", "kustomize.toolkit.fluxcd.io/prune") == "disabled"
}
