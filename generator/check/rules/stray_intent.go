package rules

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

var strayIntent = &check.Rule{
	Code: "stray-intent", Group: check.Shape, Severity: finding.Error,
	Title: "Flux would apply a file that is meant for Berth",
	Help: `TaintIntent, DevicePlugin, DeviceEvidence and RenderCheck are files, and have no CRD in the cluster: the API server refuses them,
and with them the whole pass of the Kustomization. A folder without a kustomization.yaml is built from every YAML file in it.

Give the object the annotation config.kubernetes.io/local-config: "true", or move the file out of the folders that Flux reads.`,
	Environment: func(p *check.Pass) {
		for o := range p.Objects() {
			if o.Group() == "berth.dev" || strings.HasSuffix(o.Group(), ".berth.dev") {
				p.Report(check.On(o, nil, fmt.Sprintf("Kustomization %s would apply this file of Berth's", o.Kustomization.ID),
					`add the annotation config.kubernetes.io/local-config: "true", or move the file`))
			}
		}
	},
}
