package v1alpha1

import (
	"go.yaml.in/yaml/v3"

	"github.com/berth-dev/berth/generator/api/strict"
)

// ReadRenderChecks reads the RenderChecks of a file, as ReadTaintIntents reads its TaintIntents.
func ReadRenderChecks(file string, data []byte) ([]*RenderCheck, error) {
	return readKind(file, data, KindRenderCheck, renderCheck)
}

func renderCheck(source strict.Source, node *yaml.Node) (*RenderCheck, error) {
	check := &RenderCheck{}
	index, err := strict.Decode(source, node, check)
	if err != nil {
		return nil, err
	}
	check.origin = index
	check.Default()
	return check, check.Validate()
}

// Default fills in what the file leaves out.
func (c *RenderCheck) Default() {
	for i := range c.Spec.Environments {
		if c.Spec.Environments[i].Stage == "" {
			c.Spec.Environments[i].Stage = Active
		}
	}
	if v := c.Spec.Variables; v != nil && len(v.Placeholders) == 0 {
		v.Placeholders = []string{"TBD-*"}
	}
}
