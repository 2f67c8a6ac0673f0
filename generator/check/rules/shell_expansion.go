package rules

import (
	"fmt"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var shellExpansion = &check.Rule{
	Code: "shell-expansion", Group: check.Substitution, Severity: finding.Error,
	Title: "A shell's ${VARIABLE} stands in a path that Flux substitutes",
	Help: `Flux replaces every ${...} in a path with spec.postBuild, those of shell scripts, of cloud-init and of container
arguments too. What the shell was to expand becomes a value of the cluster's, the empty string, or (since Flux 2.9) the
reason for which the whole Kustomization is refused.

Write $${VARIABLE}: Flux then leaves ${VARIABLE}. $VARIABLE without braces is never touched. A whole object is left alone
with the annotation kustomize.toolkit.fluxcd.io/substitute: disabled.`,
	Environment: func(p *check.Pass) {
		undefinedUses(p, func(o *flux.Object, use flux.Use, at place) {
			if shellish(at, use.Name) {
				p.Report(check.On(o, at.path,
					fmt.Sprintf("%s looks like the shell's own, and Kustomization %s substitutes it without having a value", braced(use.Name), o.Kustomization.ID),
					"write $"+braced(use.Name)+" so that the shell sees it"))
			}
		})
		for o := range p.Objects() {
			if substituted(o) && !isCRD(o) {
				reportShadowed(p, o)
			}
		}
	},
}

// reportShadowed finds variables that a script sets itself, and that Flux replaces with a value of its own.
func reportShadowed(p *check.Pass, o *flux.Object) {
	for _, use := range o.Uses {
		if !use.Defined {
			continue
		}
		for _, at := range placesOf(o, use.Name) {
			if at.multiline() && assigns(at.text, use.Name) {
				p.Report(check.On(o, at.path,
					fmt.Sprintf("the script sets %s itself, and Flux puts the cluster's value in place of %s before it runs", use.Name, braced(use.Name)),
					"write $"+braced(use.Name)+" so that the shell sees it").As(finding.Warning))
				break
			}
		}
	}
}
