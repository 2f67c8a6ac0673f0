package rules

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

var placeholder = &check.Rule{
	Code: "placeholder", Group: check.Substitution, Severity: finding.Error,
	Title: "A placeholder is left where a decision should be",
	Help: `A value such as TBD-PROD-VIP stands for a decision that nobody has made yet. That is better than a guess: it fails loudly. In
an environment that a cluster reconciles it must not be there any more; in one with stage: design-only it is reported as a
note, so that the list of open decisions can be read.

The patterns are spec.variables.placeholders of berth.yaml (default: TBD-*). Without a berth.yaml a placeholder is a warning.`,
	Environment: func(p *check.Pass) {
		settings := p.Repository.Check.Spec.Variables
		severity := finding.Error
		if settings == nil {
			settings, severity = &v1alpha1.CheckedVariables{Placeholders: []string{"TBD-*"}}, finding.Warning
		}
		if p.Stage == v1alpha1.DesignOnly {
			severity = finding.Info
		}
		values := map[string]bool{}
		for _, v := range variablePlaceholders(p, settings) {
			values[v.value] = true
			p.Report(open(p, v.object, tree.Path{"data", v.name}, v.name+" is still "+v.value).As(severity))
		}
		for o := range p.Objects() {
			if isCRD(o) || is(o, "", "ConfigMap") && o.Name == settings.ConfigMap {
				continue
			}
			scalars(o.Node(), func(path tree.Path, node *yaml.Node) {
				if settings.IsPlaceholder(node.Value) && (o.Template == "" || !values[node.Value]) && !isVariable(values, o, path) {
					p.Report(open(p, o, clone(path), "the value is still "+node.Value).As(severity))
				}
			})
		}
	},
}

func open(p *check.Pass, o *flux.Object, path tree.Path, what string) check.Finding {
	action := "decide it and write the value"
	if p.Stage == v1alpha1.DesignOnly {
		what += fmt.Sprintf(" in %s, which is design-only", p.Name)
		action = "decide it before the environment becomes active"
	}
	return onValue(p, o, path, what, action)
}

// isVariable says whether a place is one of the variables that were reported already.
func isVariable(values map[string]bool, o *flux.Object, path tree.Path) bool {
	return is(o, "", "ConfigMap") && len(path) == 2 && path[0] == "data" && values[text(o.Node(), path...)]
}

type variable struct {
	name, value string
	object      *flux.Object
}

// variablePlaceholders are the variables that are placeholders, sorted by name: those of the RenderCheck's ConfigMap, or of
// any that a substitution uses.
func variablePlaceholders(p *check.Pass, settings *v1alpha1.CheckedVariables) []variable {
	found := map[string]variable{}
	if o, data := variablesOf(p); o != nil {
		for name, value := range data {
			if settings.IsPlaceholder(value) {
				found[name] = variable{name, value, o}
			}
		}
	}
	for _, k := range p.Kustomizations {
		for name, v := range k.Substitution.Variables {
			if _, known := found[name]; !known && v.Object != nil && settings.IsPlaceholder(v.Value) {
				found[name] = variable{name, v.Value, v.Object}
			}
		}
	}
	all := make([]variable, 0, len(found))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[name])
	}
	return all
}
