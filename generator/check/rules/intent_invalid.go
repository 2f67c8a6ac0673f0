package rules

import (
	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

var intentInvalid = &check.Rule{
	Code: "intent-invalid", Group: check.Settings, Severity: finding.Error,
	Title: "A file of Berth's cannot be read",
	Help: `A TaintIntent, DevicePlugin or DeviceEvidence has a field that does not exist, a value that the API server would refuse, or
names something that is not there. The message says what, with the line.`,
	Repository: func(r *check.Repository, report func(check.Finding)) {
		for _, f := range r.Broken() {
			report(f)
		}
		for _, e := range r.Environments {
			if err := v1alpha1.CheckTogether(e.Declared.Intents); err != nil {
				for _, problem := range strict.AsProblems(err) {
					f := check.At(finding.Source{File: problem.File, Line: problem.Line}, problem.Message, "correct one of the intents")
					f.Field = problem.Path
					report(f)
				}
			}
		}
	},
}
