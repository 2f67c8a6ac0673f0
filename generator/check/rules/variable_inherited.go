package rules

import (
	"fmt"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

var variableInherited = &check.Rule{
	Code: "variable-inherited", Group: check.Substitution, Severity: finding.Error,
	Title: "An environment inherits a variable that it must set itself",
	Help: `The address of an API server or a pool of addresses belongs to one network. When an overlay leaves such a variable out, it
silently gets the value of the base, which is another environment's: prod would come up on the addresses of dev.

The variables in spec.variables.setByEveryEnvironment of berth.yaml must get their value in a file below the environment's
own folder: a patch of the ConfigMap, a configMapGenerator, or the ConfigMap itself. A value that is not decided yet is
written as a placeholder, which fails loudly.`,
	Environment: func(p *check.Pass) {
		o, data := variablesOf(p)
		if o == nil {
			return
		}
		own := ownVariables(p, o.Name)
		for _, name := range p.Repository.Check.Spec.Variables.SetByEveryEnvironment {
			if own[name] {
				continue
			}
			message := fmt.Sprintf("%s must set %s itself, and it is set nowhere", p.Name, name)
			if value, ok := data[name]; ok {
				message = fmt.Sprintf("%s must set %s itself, and inherits %s from %s", p.Name, name, value, o.SourceOf([]string{"data", name}))
			}
			f := check.On(o, nil, message, fmt.Sprintf("set it in a file below %s, as a placeholder if it is not decided", p.Folder()))
			f.Source = finding.Source{File: kustomizationFile(p, p.Folder())}
			f.Field = "data." + name
			p.Report(f)
		}
	},
}
