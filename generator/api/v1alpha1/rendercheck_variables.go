package v1alpha1

import (
	"path"
	"regexp"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
)

// variableName is what Flux takes for a variable (fluxcd/pkg/kustomize: varsubRegex).
var variableName = regexp.MustCompile(`^[_[:alpha:]][_[:alpha:][:digit:]]*$`)

func (c *collector) variables(at string, v *CheckedVariables) {
	c.said(at+".configMap", v.ConfigMap, "which ConfigMap holds the variables")
	for i, name := range v.SetByEveryEnvironment {
		if !variableName.MatchString(name) {
			c.fail(strict.Item(at+".setByEveryEnvironment", i), "%q is no name of a variable: letters, digits and _", name)
		}
	}
	for i, pattern := range v.Placeholders {
		if pattern == "" || pattern == "*" {
			c.fail(strict.Item(at+".placeholders", i), "%q would make every value a placeholder", pattern)
		}
	}
	names := map[string]string{}
	for i, rule := range v.Rules {
		item := strict.Item(at+".rules", i)
		c.said(item+".name", rule.Name, "what the report calls the rule")
		c.said(item+".expr", rule.Expr, "what must be true, in CEL")
		c.said(item+".message", rule.Message, "why the rule holds")
		c.once(names, item+".name", rule.Name)
	}
}

// IsPlaceholder tells whether a value stands for a decision that is not made yet.
func (v *CheckedVariables) IsPlaceholder(value string) bool {
	for _, pattern := range v.Placeholders {
		if glob(pattern, value) {
			return true
		}
	}
	return false
}

// Means tells whether an entry means a finding, by its code, its file and its object.
func (i *IgnoredFinding) Means(code, file, object string) bool {
	return i.Code == code && (i.Path == "" || below(file, i.Path)) && (i.Object == "" || glob(i.Object, object))
}

func below(file, dir string) bool {
	dir = path.Clean(dir)
	return dir == "." || file == dir || strings.HasPrefix(file, dir+"/")
}
