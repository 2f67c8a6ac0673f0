package rules

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

var valueHardcoded = &check.Rule{
	Code: "value-hardcoded", Group: check.Substitution, Severity: finding.Warning,
	Title: "A manifest holds the value of a variable instead of the variable",
	Help: `The value of a variable that every environment must set (spec.variables.setByEveryEnvironment of berth.yaml) stands in a manifest
as it is. All environments build the manifest, so prod would come up with the address of dev.

Write ${VARIABLE} in its place. Values of fewer than six characters and placeholders are not looked for.`,
	Environment: func(p *check.Pass) {
		o, data := variablesOf(p)
		if o == nil {
			return
		}
		settings := p.Repository.Check.Spec.Variables
		for _, name := range settings.SetByEveryEnvironment {
			if value := data[name]; len(value) >= shortest && !settings.IsPlaceholder(value) {
				reportLiterals(p, o, name, value)
			}
		}
	},
}

// shortest is the length from which on a value is found by its text.
const shortest = 6

func reportLiterals(p *check.Pass, variables *flux.Object, name, value string) {
	for o := range p.Objects() {
		if o == variables || isCRD(o) || below(o.Origin.File, p.Folder()) {
			continue // what stands in the environment's own folder holds for it alone
		}
		root := o.Node()
		if o.Template != "" {
			root = parse(o.Template)
		}
		scalars(root, func(path tree.Path, node *yaml.Node) {
			if containsWord(node.Value, value) {
				p.Report(check.On(o, clone(path), fmt.Sprintf("%s stands here as it is, and is the value of %s in %s", value, name, p.Name),
					"write "+braced(name)+" instead"))
			}
		})
	}
}

// containsWord says whether a text holds a value that is not part of a longer word or number.
func containsWord(text, value string) bool {
	for {
		before, after, found := strings.Cut(text, value)
		if !found {
			return false
		}
		if !endsInWord(before) && !beginsWord(after) {
			return true
		}
		text = after
	}
}

func endsInWord(s string) bool { return s != "" && isWordByte(s[len(s)-1]) }

func beginsWord(s string) bool { return s != "" && isWordByte(s[0]) }

func isWordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
