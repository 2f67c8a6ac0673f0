package rules

import (
	"fmt"
	"slices"

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
		type cause struct {
			kustomization flux.ID
			name          string
		}
		first := map[cause]place{}
		objects := map[cause][]*flux.Object{}
		var order []cause
		undefinedUses(p, func(o *flux.Object, use flux.Use, places []place) {
			i := slices.IndexFunc(places, func(at place) bool { return !shellish(at, use.Name) })
			if i < 0 || failed(o) {
				return // another rule tells
			}
			c := cause{o.Kustomization.ID, use.Name}
			if objects[c] == nil {
				first[c] = places[i]
				order = append(order, c)
			}
			objects[c] = append(objects[c], o)
		})
		for _, c := range order {
			reportUndefined(p, objects[c], c.name, first[c])
		}
	},
}

// reportUndefined tells once for a Kustomization, at the first of the objects.
func reportUndefined(p *check.Pass, objects []*flux.Object, name string, at place) {
	k := objects[0].Kustomization
	more := ""
	if n := len(objects) - 1; n > 0 {
		more = fmt.Sprintf(", which %d more of its objects use", n)
	}
	message, severity := fmt.Sprintf("%s has no value in Kustomization %s%s: Flux refuses all of it", braced(name), k.ID, more), finding.Error
	if !k.Substitution.Strict {
		message, severity = fmt.Sprintf("%s has no value in Kustomization %s%s: it becomes the empty string", braced(name), k.ID, more), finding.Warning
	}
	p.Report(check.On(objects[0], at.path, message, "set the variable, or give it a default as in ${"+name+":=value}").As(severity))
}

// undefinedUses goes through the variables that are to be replaced and have no value, with their places.
func undefinedUses(p *check.Pass, found func(*flux.Object, flux.Use, []place)) {
	for o := range p.Objects() {
		if !substituted(o) || isCRD(o) {
			continue
		}
		for _, use := range o.Uses {
			if use.Defined || use.Defaulted || use.Unseen {
				continue
			}
			if places := placesOf(o, use.Name); len(places) > 0 {
				found(o, use, places)
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
