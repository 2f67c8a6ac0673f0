package rules

import (
	"fmt"
	"regexp"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var substitutionMissing = &check.Rule{
	Code: "substitution-missing", Group: check.Substitution, Severity: finding.Error,
	Title: "A ${VARIABLE} ships as it stands, since its Kustomization replaces none",
	Help: `A variable is replaced only in a path whose Flux Kustomization declares spec.postBuild, and only when at least one
variable has a value (or substituteStrategy is Always). Anywhere else the text ${VARIABLE} itself goes to the cluster.

It is an error when the variable has a value elsewhere in the environment, so that it was clearly meant to be replaced,
and a warning when only its form speaks for it. Scripts and configuration files, in which ${...} is usual, are passed over.

Add spec.postBuild.substituteFrom to the Kustomization, or write $${VARIABLE} where the text itself is meant and the path
may be substituted one day.`,
	Environment: func(p *check.Pass) {
		known := knownVariables(p)
		for o := range p.Objects() {
			if len(o.Uses) == 0 || substituted(o) || o.SubstitutionDisabled || o.Encrypted || isCRD(o) {
				continue
			}
			for _, use := range o.Uses {
				reportLiteral(p, o, use, known[use.Name])
			}
		}
	},
}

var upperCase = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

func reportLiteral(p *check.Pass, o *flux.Object, use flux.Use, known bool) {
	for _, at := range placesOf(o, use.Name) {
		severity := finding.Error
		if !known {
			if use.Defaulted || !upperCase.MatchString(use.Name) || at.multiline() || isFreeText(o, at) {
				continue
			}
			severity = finding.Warning
		} else if assigns(at.text, use.Name) {
			continue
		}
		k := o.Kustomization
		why := "declares no spec.postBuild"
		if k.Substitution.Declared {
			why = "has a spec.postBuild without any variable, which replaces nothing"
		}
		p.Report(check.On(o, at.path,
			fmt.Sprintf("%s ships as it stands: Kustomization %s %s", braced(use.Name), k.ID, why),
			"add spec.postBuild.substituteFrom to the Kustomization, or write the value out").As(severity))
		return
	}
}

// isFreeText says whether a place holds text for other programs, in which ${...} may well be theirs.
func isFreeText(o *flux.Object, at place) bool {
	data := (o.Kind == "ConfigMap" || o.Kind == "Secret") && len(at.path) > 0 && (at.path[0] == "data" || at.path[0] == "stringData")
	return data || shellish(at, "")
}
