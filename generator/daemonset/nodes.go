package daemonset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// nodes holds the expected nodes and the tolerated taints against the intents.
func (r *run) nodes() {
	spec := r.plugin.Spec
	if len(r.in.Intents) == 0 {
		if len(spec.Tolerate) > 0 {
			r.add(r.find(finding.Error, "intent-missing", "spec.tolerate",
				"the names of taints mean nothing without the TaintIntent that gives them",
				"give its file too, or list it among the resources of the kustomization"))
		}
		return
	}
	taints := r.tolerated()
	for i, node := range spec.Nodes {
		r.node(strict.Item("spec.nodes", i), node, taints)
	}
}

// tolerated resolves the names in spec.tolerate.
func (r *run) tolerated() []v1alpha1.Taint {
	var all []v1alpha1.Taint
	known := taintNames(r.in.Intents)
	for i, name := range r.plugin.Spec.Tolerate {
		found := taintsNamed(r.in.Intents, name)
		if len(found) == 0 {
			hint := "the names are " + strings.Join(known, ", ")
			if near := strict.Nearest(name, known); near != "" {
				hint = "did you mean " + near + "?"
			}
			r.add(r.find(finding.Error, "unknown-taint", strict.Item("spec.tolerate", i),
				fmt.Sprintf("no TaintIntent has a taint named %q", name), hint))
		}
		all = append(all, found...)
	}
	return all
}

// taintsNamed returns the taints of a name in any of the intents, each once.
func taintsNamed(intents []*v1alpha1.TaintIntent, name string) []v1alpha1.Taint {
	var all []v1alpha1.Taint
	for _, intent := range intents {
		for _, taint := range intent.TaintsByName([]string{name}) {
			if !slices.Contains(all, taint) {
				all = append(all, taint)
			}
		}
	}
	return all
}

func taintNames(intents []*v1alpha1.TaintIntent) []string {
	var all []string
	for _, intent := range intents {
		for _, taint := range intent.Spec.Taints {
			all = append(all, taint.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// node checks one expected node: that there is such a node, and that the plugin may run there.
func (r *run) node(field, node string, tolerated []v1alpha1.Taint) {
	var known []string
	for _, intent := range r.in.Intents {
		known = append(known, intent.NodeNames()...)
	}
	if !slices.Contains(known, node) {
		hint := "correct the name, or add the node to the TaintIntent"
		if near := strict.Nearest(node, known); near != "" {
			hint = "did you mean " + near + "?"
		}
		r.add(r.find(finding.Error, "unknown-node", field, fmt.Sprintf("no TaintIntent knows the node %s", node), hint))
		return
	}
	for _, intent := range r.in.Intents {
		for _, taint := range intent.NodeTaints(node) {
			if taint.Effect == v1alpha1.PreferNoSchedule || slices.Contains(tolerated, taint) {
				continue
			}
			r.add(r.find(finding.Error, "plugin-kept-away", field,
				fmt.Sprintf("the node %s has the taint %s, which the plugin does not tolerate, so that it would never run there", node, taint),
				fmt.Sprintf("add %s to spec.tolerate", nameOf(intent, taint))))
		}
	}
}

func nameOf(intent *v1alpha1.TaintIntent, taint v1alpha1.Taint) string {
	for _, named := range intent.Spec.Taints {
		if resolved, err := named.Resolve(); err == nil && resolved == taint {
			return named.Name
		}
	}
	return taint.String()
}
