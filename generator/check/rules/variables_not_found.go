package rules

import (
	"fmt"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

var variablesNotFound = &check.Rule{
	Code: "variables-not-found", Group: check.Substitution, Severity: finding.Error,
	Title: "An environment does not build the ConfigMap of the variables",
	Help: `berth.yaml names the ConfigMap that holds an environment's variables, and this environment applies none of that name. Nothing
can be said about its variables then.

Correct spec.variables.configMap, or add the ConfigMap to the environment.`,
	Environment: func(p *check.Pass) {
		settings := p.Repository.Check.Spec.Variables
		if settings == nil {
			return
		}
		if o, _ := variablesOf(p); o == nil {
			p.Report(p.Repository.InCheck("spec.variables.configMap",
				fmt.Sprintf("the environment %s builds no ConfigMap %s", p.Name, settings.ConfigMap),
				"correct the name, or add the ConfigMap to "+p.Folder()))
		}
	},
}
