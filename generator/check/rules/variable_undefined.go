package rules

import (
	"fmt"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var variableUndefined = &check.Rule{
	Code: "variable-undefined", Group: check.Substitution, Severity: finding.Error,
	Title: "A ${VARIABLE} has neither a value nor a default",
	Help: `Flux 2.9 and later refuse the whole Kustomization when a variable has no value (the gate
StrictPostBuildSubstitutions). Earlier versions put the empty string in its place, which can mean something else altogether:
as the key of a toleration it tolerates every taint.

Set the variable, give it a default (${VARIABLE:=value}), or write $${VARIABLE} where the text itself is meant. When the
values come from a Secret or ConfigMap that is not in the repository, nothing is reported: they may be there.`,
	Environment: func(p *check.Pass) {
		undefinedUses(p, func(o *flux.Object, use flux.Use, at place) {
			if !shellish(at, use.Name) {
				reportUndefined(p, o, use, at)
			}
		})
	},
}

func reportUndefined(p *check.Pass, o *flux.Object, use flux.Use, at place) {
	k := o.Kustomization
	message, severity := fmt.Sprintf("%s has no value in Kustomization %s, and Flux refuses all of it", braced(use.Name), k.ID), finding.Error
	if !k.Substitution.Strict {
		message, severity = fmt.Sprintf("%s has no value in Kustomization %s and becomes the empty string", braced(use.Name), k.ID), finding.Warning
	}
	p.Report(check.On(o, at.path, message, "set the variable, or give it a default as in ${"+use.Name+":=value}").As(severity))
}

// undefinedUses goes through the variables that are to be replaced and have no value, with the first place of each.
func undefinedUses(p *check.Pass, found func(*flux.Object, flux.Use, place)) {
	for o := range p.Objects() {
		if !substituted(o) || isCRD(o) || failed(o) {
			continue
		}
		for _, use := range o.Uses {
			if use.Defined || use.Defaulted || use.Unseen {
				continue
			}
			if places := placesOf(o, use.Name); len(places) > 0 {
				found(o, use, places[0])
			}
		}
	}
}

// failed says whether the substitution of an object failed altogether, which another rule tells.
func failed(o *flux.Object) bool {
	for _, problem := range o.Kustomization.Problems {
		if problem.Object == o && problem.Reason == flux.SubstitutionFailed {
			return true
		}
	}
	return false
}
