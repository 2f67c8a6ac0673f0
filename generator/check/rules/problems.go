package rules

import (
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

// eachProblem goes through what the build of an environment stumbled over for a reason.
func eachProblem(p *check.Pass, reason flux.Reason, found func(*flux.Kustomization, flux.Problem)) {
	for _, k := range p.Kustomizations {
		for _, problem := range k.Problems {
			if problem.Reason == reason {
				found(k, problem)
			}
		}
	}
}

// sentence makes one line of a library's message.
func sentence(message string) string {
	return strings.TrimRight(strings.Join(strings.Fields(message), " "), ".")
}

var substitutionFailed = &check.Rule{
	Code: "substitution-failed", Group: check.Substitution, Severity: finding.Error,
	Title: "Flux cannot replace the variables of an object",
	Help: `The text of the object is no template that Flux can read, or it is no YAML after the replacement. Usual causes: a shell's
expansion that Flux does not know (${VAR:?}, ${VAR[@]}, ${!VAR}), or a value with a line break or a colon in a place without
quotes.

Write $${...} for what is not Flux's, or annotate the object with kustomize.toolkit.fluxcd.io/substitute: disabled.`,
	Environment: func(p *check.Pass) {
		eachProblem(p, flux.SubstitutionFailed, func(k *flux.Kustomization, problem flux.Problem) {
			const action = "write $${...} for what is not Flux's, or annotate the object with kustomize.toolkit.fluxcd.io/substitute: disabled"
			if problem.Object == nil {
				p.Report(check.OnKustomization(k, nil, sentence(problem.Message), action))
				return
			}
			p.Report(check.On(problem.Object, nil, "the variables cannot be replaced: "+sentence(problem.Message), action))
		})
	},
}

var substituteFromMissing = &check.Rule{
	Code: "substitute-from-missing", Group: check.Substitution, Severity: finding.Error,
	Title: "The ConfigMap of a substituteFrom is made by nothing",
	Help: `A Kustomization waits for ever for the ConfigMaps in its spec.postBuild.substituteFrom that are not optional. Nothing in the
environment makes this one in the Kustomization's namespace.

Correct the name, add the ConfigMap, or say optional: true. A Secret is not reported: it may be made outside the repository.`,
	Environment: func(p *check.Pass) {
		eachProblem(p, flux.SubstituteFromMissing, func(k *flux.Kustomization, problem flux.Problem) {
			p.Report(check.OnKustomization(k, []string{"spec", "postBuild", "substituteFrom"},
				strings.TrimPrefix(sentence(problem.Message), "spec.postBuild.substituteFrom: "),
				"correct the name, add the ConfigMap to the environment, or say optional: true"))
		})
	},
}
