package rules

import (
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

var tolerationInvalid = &check.Rule{
	Code: "toleration-invalid", Group: check.Policy, Severity: finding.Error,
	Title: "The API server refuses a toleration",
	Help: `Operators are Exists and Equal, effects are NoSchedule, PreferNoSchedule and NoExecute, all case-sensitive; value: true
without quotes is a boolean, which no toleration takes; an entry without a key needs operator: Exists. kustomize and Helm
pass all of these on, and the object is refused when it is applied, or its pods when they are made.`,
	Environment: func(p *check.Pass) {
		eachTolerations(p, func(l tolerationList) {
			if l.fault != nil {
				p.Report(check.On(l.object, l.path, sentence(l.fault.Message), "correct the entry"))
			}
		})
	},
}

var tolerationEmptied = &check.Rule{
	Code: "toleration-emptied", Group: check.Policy, Severity: finding.Error,
	Title: "A variable without a value makes a toleration tolerate everything",
	Help: `A toleration whose key comes from a variable without a value renders as key: null with operator: Exists. That is no error for
the API server: it tolerates every taint of every node.

Set the variable, or write the key out.`,
	Environment: func(p *check.Pass) {
		eachTolerations(p, func(l tolerationList) {
			if l.object.Template == "" || l.fault != nil {
				return
			}
			before := items(tree.Lookup(parse(l.object.Template), l.path...))
			for i, entry := range l.entries {
				if i < len(before) && entry.Blanket() && strings.Contains(text(before[i], "key"), "${") {
					p.Report(check.On(l.object, l.path, "the key "+text(before[i], "key")+" becomes empty, so that the entry tolerates every taint",
						"set the variable, or write the key out"))
				}
			}
		})
	},
}
