package rules

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

var notAString = &check.Rule{
	Code: "not-a-string", Group: check.Shape, Severity: finding.Error,
	Title: "A number or boolean stands where the API takes a string",
	Help: `YAML reads true, yes and 8080 without quotes as a boolean or a number. kustomize passes them on, and the API server refuses the
object: "cannot unmarshal bool into Go struct field ... of type string".

Quote the value. When it comes from a variable, value-type-changed tells how.`,
	Environment: func(p *check.Pass) {
		for o := range p.Objects() {
			if o.Template != "" || isCRD(o) {
				continue
			}
			scalars(o.Node(), func(path tree.Path, node *yaml.Node) {
				where, what := stringPlace(o, path), notText(node)
				if where != "" && what != "" {
					p.Report(check.On(o, clone(path), fmt.Sprintf("%s is %s, and the API server takes only a string as %s", node.Value, what, where),
						fmt.Sprintf("quote it: %q", node.Value)))
				}
			})
		}
	},
}
