package live

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// checkHome warns when no node is left that takes pods without a toleration: cluster DNS would have nowhere to go
// (k3s-io/k3s#7033).
func (c *comparison) checkHome() {
	if home := c.homes(); len(c.Nodes) > 0 && len(home) == 0 {
		c.add(nil, finding.Warning, "no-home-left", "every node of the cluster is tainted, cordoned or not in the intent as a default home, so that pods without a toleration, such as cluster DNS, have nowhere to go",
			"keep one node without taints")
	}
}

// homes are the nodes that take any pod once the intents are met.
func (v *view) homes() []string {
	var all []string
	for i := range v.Nodes {
		node := &v.Nodes[i]
		taints := append(v.wants[node.Name].taints(), foreign(node, v.wants[node.Name])...)
		if len(untolerated(nil, taints)) == 0 && !node.Spec.Unschedulable {
			all = append(all, node.Name)
		}
	}
	return all
}

// foreign returns the lasting taints of a node that are not the intents'. A controller's come and go.
func foreign(node *corev1.Node, w *want) []v1alpha1.Taint {
	own, err := readOwnership(node.Name, node.Annotations)
	if err != nil {
		own = ownership{}
	}
	gone := w.leftTaints(own)
	var all []v1alpha1.Taint
	for _, t := range ofNode(node.Spec.Taints) {
		if t.Controller() == "" && !gone[pairOf(t)] {
			all = append(all, t)
		}
	}
	return all
}

// checkAllowed holds the allowlist against the workloads that the cluster has.
func (c *comparison) checkAllowed() {
	every := func(v1alpha1.Taint) bool { return true }
	for _, g := range c.grants() {
		c.found = append(c.found, g.missing(every)...)
		for _, f := range g.behind(every) {
			f.Severity = finding.Warning
			c.found = append(c.found, f)
		}
		if g.absent() && !g.entry.Optional {
			f := g.fault(nil, "allowed-is-absent", g.entry.Workload.String()+" is allowed and not in the cluster", "")
			f.Severity = finding.Info
			c.found = append(c.found, f)
		}
	}
}

// checkUnlisted finds workloads that may use a tainted node although no entry allows it.
func (c *comparison) checkUnlisted() {
	for i := range c.Workloads {
		w := &c.Workloads[i]
		if c.top(w.Namespace, w.Owners) != nil {
			continue // a ReplicaSet or a Job says what its owner says
		}
		for _, intent := range c.intents {
			c.checkDecided(w, intent)
		}
	}
}

func (c *comparison) checkDecided(w *Workload, intent *v1alpha1.TaintIntent) {
	allowed, denied := c.decision(w, intent)
	reach, named := c.reach(w, intent)
	if allowed || len(reach) == 0 {
		return
	}
	name := intent.Metadata.Name
	switch {
	case denied:
		c.add(&w.Object, finding.Error, "denied-can-run", fmt.Sprintf("is denied by the intent %s, and can run on %s in spite of the taint", name, some(reach)),
			"deploy what berth generate wrote: the node affinity that keeps it away")
	case w.Labels[v1alpha1.LabelDevicePlugin] != "": // decided in the plugin's file, which names the taints that it tolerates
	case w.Kind == "DaemonSet":
		c.add(&w.Object, finding.Warning, "daemonset-undecided", fmt.Sprintf("can run on %s in spite of the taint, and the intent %s neither allows nor denies it", some(reach), name),
			"decide: an allow entry if it is to run there, a deny entry if not")
	case named:
		c.add(&w.Object, finding.Warning, "toleration-unlisted", fmt.Sprintf("tolerates the taints of %s by name, and no entry of the intent %s allows it", some(reach), name),
			"add an allow entry, or find out who gives it the toleration")
	default:
		c.add(&w.Object, finding.Warning, "toleration-blanket", fmt.Sprintf("tolerates taints by whatever name, those of %s too, and the intent %s does not say that it may", some(reach), name),
			"allow it, or deny it: berth generate then writes an affinity that keeps it away")
	}
}

// decision looks a workload up in an intent.
func (c *comparison) decision(w *Workload, intent *v1alpha1.TaintIntent) (allowed, denied bool) {
	for _, entry := range intent.Spec.Allow {
		allowed = allowed || c.identifies(w, entry.Workload)
	}
	for _, entry := range intent.Spec.Deny {
		denied = denied || c.identifies(w, entry.Workload)
	}
	return allowed, denied
}

// reach returns the tainted nodes that a workload's tolerations and node affinity let it onto, and whether it names a
// taint of one.
func (c *comparison) reach(w *Workload, intent *v1alpha1.TaintIntent) (nodes []string, named bool) {
	affinity := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: w.Template})
	for _, node := range c.tainted[intent.Metadata.Name] {
		if len(untolerated(nil, node.taints)) == 0 || len(untolerated(w.Template.Tolerations, node.taints)) > 0 {
			continue
		}
		if fits, err := affinity.Match(node.Node); err != nil || !fits {
			continue
		}
		nodes = append(nodes, node.Name)
		for _, t := range node.taints {
			named = named || byName(w.Template.Tolerations, t)
		}
	}
	return nodes, named
}
