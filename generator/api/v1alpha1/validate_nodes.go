package v1alpha1

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

func (v *validator) nodes() {
	seen := map[string]string{}
	for i, group := range v.intent.Spec.Nodes {
		path := strict.Item("spec.nodes", i)
		if len(group.Names) == 0 {
			v.fail(path+".names", "names no node: list the group's nodes, or remove the group")
		}
		for j, name := range group.Names {
			at := strict.Item(path+".names", j)
			v.nodeName(at, name)
			if first, twice := seen[name]; twice {
				v.fail(at, "the node %s was listed before, %s: list it once, with all its taints in one group", name, v.intent.origin.Where(first))
				continue
			}
			seen[name] = at
		}
		v.taintNames(path+".taints", group.Taints)
		v.uniquePairs(path+".taints", group)
		v.labels(path+".labels", group.Labels)
		v.uniqueLabels(path, group)
	}
}

// nodeName checks a name as the API server checks that of a Node.
func (v *collector) nodeName(path, name string) {
	switch lower := strings.ToLower(name); {
	case name == "":
		v.fail(path, "is empty: write the name that kubectl get nodes prints")
	case !v.resolved(path, name):
	case strings.Contains(name, "*"):
		v.fail(path, "the node name %q holds a *: names are exact, list each node", name)
	case name != lower && len(validation.IsDNS1123Subdomain(lower)) == 0:
		v.fail(path, "the node name %q has upper-case letters: nodes register in lower case, write %s", name, lower)
	default:
		v.check(path, "the node name", name, validation.IsDNS1123Subdomain(name))
	}
}

// uniquePairs finds two taints of one key and effect on a node, which stop the kubelet from registering it.
func (v *validator) uniquePairs(path string, group NodeGroup) {
	seen := map[Taint]string{}
	for i, name := range group.Taints {
		for _, taint := range v.intent.TaintsByName([]string{name}) {
			taint.Value = ""
			if first, twice := seen[taint]; twice && first != name {
				v.fail(strict.Item(path, i), "%s and %s put %s on one node twice: its taints are unique by key and effect, so keep one", first, name, taint)
				continue
			}
			seen[taint] = name
		}
	}
}

// uniqueLabels finds two values for one label of a node.
func (v *validator) uniqueLabels(path string, group NodeGroup) {
	seen := map[string]Label{}
	for key, value := range group.Labels {
		seen[key] = Label{key, value}
	}
	for i, name := range group.Taints {
		label := v.intent.labelOf(name)
		if label == nil {
			continue
		}
		if first, twice := seen[label.Key]; twice && first != *label {
			v.fail(strict.Item(path+".taints", i), "%s gives these nodes the label %s, which they have as %s already: a label has one value", name, label, first)
			continue
		}
		seen[label.Key] = *label
	}
}
