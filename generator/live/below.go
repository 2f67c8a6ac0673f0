package live

import (
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// owing returns the workloads below what the entry names, such as the children of an operator's object or of a
// HelmRelease, that have to tolerate a taint and do not: those that could land on a node that gets it. Not those that an
// entry of their own decides on, nor those that are not meant where the entry names pods. Where it names lists in values
// nobody sees which workload a list is for: then only those have to that the taint would take off a node.
func (g *grant) owing(t v1alpha1.Taint) []*Workload {
	pods, lists := g.named()
	var all []*Workload
	for _, w := range g.below {
		switch {
		case tolerates(w.Template.Tolerations, t), g.decided(w):
		case len(pods) > 0 && !lists && !slices.ContainsFunc(pods, func(p v1alpha1.Pod) bool { return isPod(w, p) }):
		case len(pods) == 0 && lists && !g.takesOff(w, t):
		case g.couldLand(w, t):
			all = append(all, w)
		}
	}
	return all
}

// named returns the pods that the entry names, and whether it names lists of tolerations.
func (g *grant) named() (pods []v1alpha1.Pod, lists bool) {
	pods, lists = g.entry.Pods, len(g.entry.Paths) > 0
	if g.entry.Helm != nil {
		pods, lists = slices.Concat(pods, g.entry.Helm.Pods), lists || len(g.entry.Helm.Values) > 0
	}
	return pods, lists
}

func isPod(w *Workload, p v1alpha1.Pod) bool {
	return w.Kind == p.Kind && w.Name == p.Name && (p.Namespace == "" || w.Namespace == p.Namespace)
}

// decided says whether an entry names the workload itself.
func (g *grant) decided(w *Workload) bool {
	self := identity{w.Object, w.Labels}
	for _, intent := range g.intents {
		for _, entry := range intent.Spec.Allow {
			if self.is(entry.Workload) {
				return true
			}
		}
		for _, entry := range intent.Spec.Deny {
			if self.is(entry.Workload) {
				return true
			}
		}
	}
	return false
}

// couldLand says whether, but for the intents' taints, the workload could run on a node that gets this one.
func (g *grant) couldLand(w *Workload, t v1alpha1.Taint) bool {
	return slices.ContainsFunc(g.getting(t), func(node string) bool { return g.elsewise(&w.Template, w.Kind, node) == "" })
}

// takesOff says whether the workload has pods on a node that gets the taint, or is a DaemonSet, whose pods are on every node.
func (g *grant) takesOff(w *Workload, t v1alpha1.Taint) bool {
	if w.Kind == "DaemonSet" {
		return true
	}
	for _, node := range g.getting(t) {
		for _, pod := range g.podsOn(node) {
			if g.makerOf(pod).workload == w {
				return true
			}
		}
	}
	return false
}

// getting returns the nodes of the cluster that an intent wants to have a taint.
func (v *view) getting(t v1alpha1.Taint) []string {
	var all []string
	for _, name := range v.names() {
		if v.node(name) != nil && slices.Contains(v.wants[name].taints(), t) {
			all = append(all, name)
		}
	}
	return all
}
