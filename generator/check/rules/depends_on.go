package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var dependsOnMissing = &check.Rule{
	Code: "depends-on-missing", Group: check.Order, Severity: finding.Error,
	Title: "A dependsOn names something that does not exist",
	Help: `A Kustomization or HelmRelease with a dependency that does not exist never reconciles, and neither does what depends on it.
A dependsOn entry without a namespace means the object's own.

Correct the entry. When a part of the environment cannot be seen offline the dependency may be in there, and the finding is
a warning.`,
	Environment: func(p *check.Pass) {
		severity := finding.Error
		if partlyUnseen(p) {
			severity = finding.Warning
		}
		eachEdge(p, flux.EdgeMissing, func(k *flux.Kustomization, i int, edge flux.Edge) {
			p.Report(check.OnKustomization(k, dependsOnPath(i), fmt.Sprintf("it depends on Kustomization %s, which nothing declares", edge.To),
				"correct the entry"+stalled(p, k)).As(severity))
		})
		for _, h := range p.HelmReleases {
			for i, ref := range h.Spec.DependsOn {
				namespace := ref.Namespace
				if namespace == "" {
					namespace = h.Namespace
				}
				if p.Object("helm.toolkit.fluxcd.io", "HelmRelease", namespace, ref.Name) == nil {
					p.Report(check.On(h.Object, dependsOnPath(i), fmt.Sprintf("it depends on HelmRelease %s/%s, which nothing declares", namespace, ref.Name),
						"correct the entry").As(severity))
				}
			}
		}
	},
}

var dependsOnSuspended = &check.Rule{
	Code: "depends-on-suspended", Group: check.Order, Severity: finding.Warning,
	Title: "A dependsOn names a Kustomization that is suspended in Git",
	Help: `A Kustomization with suspend: true is not reconciled. On a cold start it never becomes ready, so that nothing behind it is ever
applied; on a running cluster the new revision stops there.

Resume it, or take the dependency out as long as it is suspended.`,
	Environment: func(p *check.Pass) {
		eachEdge(p, flux.EdgeSuspended, func(k *flux.Kustomization, i int, edge flux.Edge) {
			p.Report(check.OnKustomization(k, dependsOnPath(i), fmt.Sprintf("it depends on Kustomization %s, which is suspended", edge.To),
				"resume it, or take the dependency out"+stalled(p, k)))
		})
	},
}

var dependsOnCycle = &check.Rule{
	Code: "depends-on-cycle", Group: check.Order, Severity: finding.Error,
	Title: "Kustomizations wait for one another",
	Help: `None of them ever reconciles. Besides dependsOn there is a second way to wait: a Kustomization with wait: true (or a health
check) that contains another Kustomization waits for it, so that the inner one must not depend on the outer one.

Take one of the dependencies out.`,
	Environment: func(p *check.Pass) {
		for _, cycle := range p.Graph().Cycles {
			names := make([]string, len(cycle))
			for i, id := range cycle {
				names[i] = id.String()
			}
			k := p.Kustomization(cycle[0])
			if k == nil {
				continue
			}
			p.Report(check.OnKustomization(k, []string{"spec", "dependsOn"}, cycleSentence(names), "take one of the dependencies out"+stalled(p, k)))
		}
	},
}

func cycleSentence(names []string) string {
	if len(names) == 1 {
		return "Kustomization " + names[0] + " waits for itself"
	}
	return fmt.Sprintf("the Kustomizations %s wait for one another, so that none is ever applied", and(names))
}

// eachEdge goes through the dependencies of a state, with the place of each in its spec.dependsOn.
func eachEdge(p *check.Pass, state flux.EdgeState, found func(*flux.Kustomization, int, flux.Edge)) {
	for _, edge := range p.Graph().Edges {
		if edge.State != state {
			continue
		}
		k := p.Kustomization(edge.From)
		found(k, slices.Index(k.DependsOn(), edge.To), edge)
	}
}

func dependsOnPath(i int) []string { return strings.Split("spec dependsOn "+strconv.Itoa(i), " ") }
