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

A default does not help: ${VARIABLE:-1} becomes 1 before the shell runs, whatever its environment holds. That is a warning when
no variable of the name exists, since the default may be meant for Flux.

Write $${VARIABLE}: Flux then leaves ${VARIABLE}. $VARIABLE without braces is never touched. A whole object is left alone
with the annotation kustomize.toolkit.fluxcd.io/substitute: disabled.`,
	Environment: func(p *check.Pass) {
		undefinedUses(p, func(o *flux.Object, use flux.Use, places []place) {
			if at := firstShellish(places, use.Name); at != nil {
				p.Report(check.On(o, at.path,
					fmt.Sprintf("%s looks like the shell's own, and Kustomization %s substitutes it without having a value", braced(use.Name), o.Kustomization.ID),
					"write $"+braced(use.Name)+" so that the shell sees it"))
			}
		})
		known := knownVariables(p)
		for o := range p.Objects() {
			if !substituted(o) || isCRD(o) {
				continue
			}
			for _, use := range o.Uses {
				reportReplaced(p, o, use, known[use.Name])
			}
		}
	},
}

// reportReplaced finds a variable that a script may well mean for its shell, and in whose place Flux puts a value or a default
// of its own.
func reportReplaced(p *check.Pass, o *flux.Object, use flux.Use, known bool) {
	switch places := placesOf(o, use.Name); {
	case use.Defined:
		reportShadowed(p, o, use, places, "the cluster's value")
	case use.Unseen && !use.Defaulted:
		reportShadowed(p, o, use, places, "the cluster's value, or nothing,")
	case use.Defaulted && !known:
		if at := firstShellish(places, use.Name); at != nil {
			form := formOf(at.text, use.Name)
			p.Report(check.On(o, at.path,
				fmt.Sprintf("%s looks like the shell's own, and Kustomization %s replaces it before the shell runs", form, o.Kustomization.ID),
				"write $"+form+" so that the shell sees it, or set "+use.Name+" if the cluster decides").As(finding.Warning))
		}
	}
}

// reportShadowed finds a variable that a script sets itself.
func reportShadowed(p *check.Pass, o *flux.Object, use flux.Use, places []place, value string) {
	for _, at := range places {
		if at.multiline() && assigns(at.text, use.Name) {
			p.Report(check.On(o, at.path,
				fmt.Sprintf("the script sets %s itself, and Flux puts %s in place of %s before it runs", use.Name, value, braced(use.Name)),
				"write $"+braced(use.Name)+" so that the shell sees it").As(finding.Warning))
			return
		}
	}
}

// firstShellish is the first place in which a variable looks like a shell's; nil when there is none.
func firstShellish(places []place, name string) *place {
	for i := range places {
		if shellish(places[i], name) {
			return &places[i]
		}
	}
	return nil
}
