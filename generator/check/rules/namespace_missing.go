package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var namespaceMissing = &check.Rule{
	Code: "namespace-missing", Group: check.Shape, Severity: finding.Warning,
	Title: "Objects go to a namespace that nothing makes",
	Help: `The API server refuses an object whose namespace does not exist, and with it the whole pass of the Kustomization. Nothing in
the environment makes this namespace: no Namespace, and no HelmRelease with install.createNamespace.

Add the Namespace. When a tool outside the repository makes it, ignore the finding with that reason.`,
	Environment: func(p *check.Pass) {
		made := namespacesOf(p)
		first := map[string]*flux.Object{}
		count := map[string]int{}
		for o := range p.Objects() {
			if o.Namespace == "" || made[o.Namespace] || o.NotApplied {
				continue
			}
			if count[o.Namespace]++; first[o.Namespace] == nil {
				first[o.Namespace] = o
			}
		}
		for _, name := range slices.Sorted(maps.Keys(first)) {
			message := fmt.Sprintf("the namespace %s is made by nothing in this environment", name)
			if count[name] > 1 {
				message += fmt.Sprintf(", and %d objects go there", count[name])
			}
			p.Report(check.On(first[name], nil, message, "add a Namespace object"))
		}
	},
}

// namespacesOf are the namespaces that exist by themselves, or that the environment makes.
func namespacesOf(p *check.Pass) map[string]bool {
	made := map[string]bool{"default": true, "kube-system": true, "kube-public": true, "kube-node-lease": true, "flux-system": true}
	for _, k := range p.Kustomizations {
		if k.IsEntry() {
			made[k.Namespace] = true
		}
	}
	for o := range p.Objects() {
		if is(o, "", "Namespace") {
			made[o.Name] = true
		}
	}
	for _, h := range p.HelmReleases {
		if h.Spec.Install != nil && h.Spec.Install.CreateNamespace {
			made[h.Spec.TargetNamespace] = true
		}
	}
	return made
}
