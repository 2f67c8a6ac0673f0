package rules

import (
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

var valueTypeChanged = &check.Rule{
	Code: "value-type-changed", Group: check.Substitution, Severity: finding.Error,
	Title: "A variable's value becomes something else than the text that was written",
	Help: `Flux replaces variables in the YAML text after kustomize has dropped the quotes. port: "${PORT}" becomes port: 8080, a number;
"yes" becomes true, and 0644 becomes 420. Where the API wants a string (labels, annotations, ConfigMap data, environment
variables, arguments) the object is refused, which is an error; a value that only changes its spelling is a warning.

Keep the quotes out of kustomize's reach: put them into the value (PORT: '"8080"'), or write "${quote}${PORT}${quote}" with a
variable that holds a double quote.`,
	Environment: func(p *check.Pass) {
		for o := range p.Objects() {
			if o.Template != "" && substituted(o) && !isCRD(o) && !failed(o) {
				reportTypes(p, o)
			}
		}
	},
}

var oneVariable = regexp.MustCompile(`^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$`)

func reportTypes(p *check.Pass, o *flux.Object) {
	scalars(parse(o.Template), func(path tree.Path, before *yaml.Node) {
		if !strings.Contains(before.Value, "${") {
			return
		}
		after := tree.Lookup(o.Node(), path...)
		if after == nil || after.Kind != yaml.ScalarNode || tree.IsNull(after) {
			return
		}
		if where, what := stringPlace(o, path), notText(after); where != "" && what != "" {
			p.Report(check.On(o, clone(path), fmt.Sprintf("%s becomes %s, %s, and the API server takes only a string as %s", before.Value, after.Value, what, where),
				`put quotes into the variable's value, as in NAME: '"`+after.Value+`"'`))
			return
		}
		if one := oneVariable.FindStringSubmatch(before.Value); one != nil {
			reportRewritten(p, o, clone(path), one[1], after)
		}
	})
}

func reportRewritten(p *check.Pass, o *flux.Object, path tree.Path, name string, after *yaml.Node) {
	value := o.Kustomization.Substitution.Variables[name].Value
	mode := strings.HasSuffix(strings.ToLower(path[len(path)-1]), "mode") // of a file, where octal is what is meant
	if value == "" || notText(after) == "" || value == after.Value || sameNumber(value, after.Value) || mode {
		return
	}
	p.Report(check.On(o, path, fmt.Sprintf("%s is written as %s and becomes %s, %s", braced(name), value, after.Value, notText(after)),
		`put quotes into the variable's value, as in `+name+`: '"`+value+`"'`).As(finding.Warning))
}

// sameNumber says whether two texts only differ as 1.50 and 1.5 do.
func sameNumber(a, b string) bool {
	return strings.Contains(a, ".") && strings.TrimRight(strings.TrimRight(a, "0"), ".") == b
}
