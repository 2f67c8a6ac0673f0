package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var crdOrder = &check.Rule{
	Code: "crd-order", Group: check.Order, Severity: finding.Warning,
	Title: "A custom resource may be applied before its CRD",
	Help: `kustomize-controller asks the API server about every object of a pass before it applies any of them. An object of a kind that
does not exist yet fails the whole pass, which is then retried. In one Kustomization that is no matter: CRDs go first. Over
two Kustomizations it takes a dependsOn, and the one with the CRDs must be ready first.

When the CRD's Kustomization waits, over any number of steps, for the one with the custom resource, the retries never help:
that is an error.`,
	Environment: func(p *check.Pass) {
		defined, o := definedKinds(p), newOrder(p)
		reported := map[[2]flux.ID]bool{}
		for cr := range p.Objects() {
			makers := defined[kindOf(cr)]
			if len(makers) == 0 || slices.Contains(makers, cr.Kustomization) || slices.ContainsFunc(makers, func(m *flux.Kustomization) bool { return o.after(cr.Kustomization, m) }) {
				continue
			}
			pair := [2]flux.ID{cr.Kustomization.ID, makers[0].ID}
			if reported[pair] {
				continue
			}
			reported[pair] = true
			reportTooEarly(p, o, cr, makers[0], "its CRD comes with Kustomization "+makers[0].String())
		}
	},
}

// reportTooEarly says that a custom resource is not held back until its kind exists.
func reportTooEarly(p *check.Pass, o *order, cr *flux.Object, maker *flux.Kustomization, why string) {
	k := cr.Kustomization
	if o.waits(maker, k) {
		p.Report(check.On(cr, nil, fmt.Sprintf("%s, which waits for Kustomization %s: neither can ever become ready on a new cluster", why, k.ID),
			"move the object to a Kustomization that depends on "+maker.ID.Name).As(finding.Error))
		return
	}
	p.Report(check.On(cr, nil, fmt.Sprintf("%s, and Kustomization %s does not wait for it: the first pass fails", why, k.ID),
		fmt.Sprintf("add %s to the dependsOn of Kustomization %s", maker.ID.Name, k.ID.Name)).As(finding.Warning))
}

var crdDeadlock = &check.Rule{
	Code: "crd-deadlock", Group: check.Order, Severity: finding.Error,
	Title: "A custom resource stands in one pass with the object that makes its kind",
	Help: `Some CRDs stand in no manifest: a controller makes them when it meets an object. cdi-operator brings only the kind CDI, and
makes StorageProfile and DataVolume once it has reconciled a CDI object. kustomize-controller asks the API server about every
object of a pass before it applies any. So with a CDI and a StorageProfile in one Kustomization the pass fails for the unknown
kind, the CDI is never applied, and the kind never comes to be: a deadlock, invisible on a cluster that already has the kind.

The custom resource belongs in a Kustomization of its own that depends on the first. Berth knows CDI and KubeVirt; more go
under spec.runtimeCRDs of berth.yaml. A HelmRelease of a well-known chart beside custom resources of that chart is the same
case, reported as a warning, since the CRDs may be installed by other means.`,
	Environment: func(p *check.Pass) {
		defined, o := definedKinds(p), newOrder(p)
		makers := runtimeMakers(p)
		for cr := range p.Objects() {
			if len(defined[kindOf(cr)]) == 0 {
				reportRuntime(p, o, cr, makers[kindOf(cr)])
			}
		}
		reportCharts(p, o, defined)
	},
}

func reportRuntime(p *check.Pass, o *order, cr *flux.Object, makers []*flux.Object) {
	if len(makers) == 0 || slices.ContainsFunc(makers, func(m *flux.Object) bool { return m == cr || o.after(cr.Kustomization, m.Kustomization) }) {
		return
	}
	maker := makers[0]
	why := fmt.Sprintf("the kind %s exists only once %s has been reconciled", cr.Kind, maker.Object)
	if maker.Kustomization != cr.Kustomization {
		reportTooEarly(p, o, cr, maker.Kustomization, why+" (Kustomization "+maker.Kustomization.String()+")")
		return
	}
	p.Report(check.On(cr, nil, fmt.Sprintf("%s, and both stand in Kustomization %s: on a new cluster its pass can never succeed", why, cr.Kustomization.ID),
		fmt.Sprintf("move it to a Kustomization of its own that depends on %s", cr.Kustomization.Name)))
}

// runtimeMakers are the objects of an environment that make kinds, by Kind.group.
func runtimeMakers(p *check.Pass) map[string][]*flux.Object {
	all := map[string][]*flux.Object{}
	known := slices.Concat(runtimeCRDs, p.Repository.Check.Spec.RuntimeCRDs)
	for o := range p.Objects() {
		for _, crd := range known {
			group, _, _ := strings.Cut(crd.MadeBy.APIVersion, "/")
			if !is(o, group, crd.MadeBy.Kind) || crd.MadeBy.Name != "" && crd.MadeBy.Name != o.Name {
				continue
			}
			for _, kind := range crd.Kinds {
				all[kind] = append(all[kind], o)
			}
		}
	}
	return all
}
