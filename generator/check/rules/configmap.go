package rules

import (
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

// variablesOf returns the ConfigMap that the RenderCheck names, with its data; nil when the environment has none, or when no
// name is given.
func variablesOf(p *check.Pass) (*flux.Object, map[string]string) {
	settings := p.Repository.Check.Spec.Variables
	if settings == nil {
		return nil, nil
	}
	for o := range p.Objects() {
		if is(o, "", "ConfigMap") && o.Name == settings.ConfigMap {
			data := map[string]string{}
			mapping := tree.Lookup(o.Node(), "data")
			for _, key := range keys(mapping) {
				data[key] = text(mapping, key)
			}
			return o, data
		}
	}
	return nil, nil
}
