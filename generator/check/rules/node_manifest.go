package rules

import (
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

var nodeManifest = &check.Rule{
	Code: "node-manifest", Group: check.Policy, Severity: finding.Error,
	Title: "Flux would own a Node",
	Help: `spec.taints of a Node is one atomic list: whoever applies it replaces all of it. Flux would wipe the taints of the node
lifecycle controller, of the cloud provider and of Berth at every reconcile (fluxcd/kustomize-controller#772). With prune it
would delete the Node. A Node without spec.taints is reported as a warning.

Declare taints in a TaintIntent; k3s sets them at registration, and berth apply on nodes that exist. Labels go into k3s's
node-label, or are set with kubectl.`,
	Environment: func(p *check.Pass) {
		for o := range p.Objects() {
			if !is(o, "", "Node") || o.NotApplied {
				continue
			}
			if !tree.IsNull(tree.Lookup(o.Node(), "spec", "taints")) {
				p.Report(check.On(o, []string{"spec", "taints"}, "Flux would replace all taints of the node with these, those of controllers included",
					"declare them in a TaintIntent instead"))
				continue
			}
			p.Report(check.On(o, nil, "Flux would own the Node, and prune it when the file is removed",
				"leave Node objects to the kubelet; set labels with k3s's node-label").As(finding.Warning))
		}
	},
}
