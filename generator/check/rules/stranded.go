package rules

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/toleration"
	"github.com/berth-dev/berth/generator/tree"
)

var planStranded = &check.Rule{
	Code: "plan-stranded", Group: check.Policy, Severity: finding.Warning,
	Title: "An upgrade plan does not reach the tainted nodes",
	Help: `The jobs of system-upgrade-controller tolerate a cordon and what spec.tolerations of the Plan names, and nothing else: on a
tainted node they stay Pending, and the node keeps its version (k3s-io/k3s#6514).

Add the toleration to the Plan, best with an allow entry for the kind Plan.`,
	Environment: func(p *check.Pass) {
		for o := range p.Objects() {
			if !is(o, "upgrade.cattle.io", "Plan") {
				continue
			}
			entries, _ := toleration.ReadList(tree.Lookup(o.Node(), "spec", "tolerations"))
			for _, intent := range p.Declared.Intents {
				if nodes := closed(intent, entries); len(nodes) > 0 {
					p.Report(check.On(o, []string{"spec", "tolerations"}, fmt.Sprintf("its jobs cannot run on %s, which is never upgraded then", some(nodes, 3)),
						"add an allow entry for the Plan, unless its node selector leaves these nodes out"))
				}
			}
		}
	},
}

// closed are the nodes that tolerations do not open.
func closed(intent *v1alpha1.TaintIntent, entries []toleration.Entry) []string {
	var nodes []string
	for _, node := range intent.TaintedNodes() {
		if !toleration.Opens(entries, intent.NodeTaints(node)) {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

var helmJobStranded = &check.Rule{
	Code: "helm-job-stranded", Group: check.Policy, Severity: finding.Error,
	Title: "The job that installs a k3s HelmChart has no node to run on",
	Help: `helm-controller of k3s installs a HelmChart with a Job that has no tolerations, unless spec.bootstrap is true, and the kind has
no field for them (k3s-io/k3s#6383). When every node is tainted the chart is never installed.

Leave at least one node without a taint.`,
	Environment: func(p *check.Pass) {
		if !homeless(p) {
			return
		}
		for o := range p.Objects() {
			if is(o, "helm.cattle.io", "HelmChart") && text(o.Node(), "spec", "bootstrap") != "true" {
				p.Report(check.On(o, nil, "its install job tolerates no taint, and every node has one", "leave at least one node without a taint"))
			}
		}
	},
}

var serviceLBStranded = &check.Rule{
	Code: "servicelb-stranded", Group: check.Policy, Severity: finding.Warning,
	Title: "The load balancer pods of a Service do not get the tolerations that were meant",
	Help: `ServiceLB of k3s runs a DaemonSet for each Service of type LoadBalancer. Its pods tolerate only what the annotation
svccontroller.k3s.cattle.io/tolerations of the Service says (k3s-io/k3s#1988). On other nodes there is no pod, and the node's
address leaves the Service, which is usually what is wanted of a flaky node.

An annotation that is misspelled does nothing. When every node is tainted the Service has no address at all.`,
	Environment: func(p *check.Pass) {
		const key = "svccontroller.k3s.cattle.io/tolerations"
		for o := range p.Objects() {
			if !is(o, "", "Service") || text(o.Node(), "spec", "type") != "LoadBalancer" {
				continue
			}
			annotations := tree.Lookup(o.Node(), "metadata", "annotations")
			for _, name := range keys(annotations) {
				if strings.HasPrefix(name, "svccontroller.k3s.cattle.io/tol") && name != key {
					p.Report(check.On(o, []string{"metadata", "annotations", name}, "ServiceLB knows no annotation "+name, "write "+key))
				}
			}
			if homeless(p) && tree.Lookup(annotations, key) == nil && text(o.Node(), "spec", "loadBalancerClass") == "" {
				p.Report(check.On(o, nil, "ServiceLB has no node for it: every node is tainted, and the Service names no tolerations",
					"add the annotation "+key+", unless another load balancer serves it"))
			}
		}
	},
}

// homeless says whether the environment's intents leave no node without a taint.
func homeless(p *check.Pass) bool {
	for _, intent := range p.Declared.Intents {
		if hasHome(intent) {
			return false
		}
	}
	return len(p.Declared.Intents) > 0
}
