package placement

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// Node is what is known of a node.
type Node struct {
	// Name is the registered name.
	Name string
	// Taints are those that the node has once the intent is applied.
	Taints []Taint
	// Labels are the labels that are known.
	Labels map[string]string
	// LabelsComplete says that Labels are all labels that the node has.
	LabelsComplete bool
	// Cordoned says that the node is marked as unschedulable.
	Cordoned bool
	// Allocatable is what the node offers; nil when that is not known.
	Allocatable corev1.ResourceList
	// Promised are the resources that a DevicePlugin is to offer there; nil when no DevicePlugin is known. It stands back
	// where Allocatable is known.
	Promised map[corev1.ResourceName]bool
	// Source is where the node was read from.
	Source finding.Source
}

// Taint is a node's taint.
type Taint struct {
	corev1.Taint
	// Name is its name in the intent's spec.taints; empty for a taint that the intent does not declare.
	Name string
}

// String returns key=value:Effect, or key:Effect without a value.
func (t Taint) String() string {
	return v1alpha1.Taint{Key: t.Key, Value: t.Value, Effect: v1alpha1.Effect(t.Effect)}.String()
}

func (t Taint) unresolved() bool {
	return unresolved(t.Key) || unresolved(t.Value) || unresolved(string(t.Effect))
}

// label returns a label's value, and whether the node is known to have it. What is not in the labels of a node of which
// not all labels are known, is unknown.
func (n *Node) label(key string) (value string, has Answer) {
	value, found := n.Labels[key]
	switch {
	case found && unresolved(value):
		return "", Unknown
	case found:
		return value, Yes
	case n.LabelsComplete:
		return "", No
	}
	return "", Unknown
}

// object returns the node as Kubernetes' libraries want it.
func (n *Node) object() *corev1.Node {
	node := &corev1.Node{}
	node.Name, node.Labels = n.Name, n.Labels
	return node
}

// intentNodes returns the nodes of the intents, sorted by name. Of labels an intent knows two: the kubelet registers
// the node's name as its host name, and k3s runs on Linux only (RKE2 has agents for Windows).
func intentNodes(intents []*v1alpha1.TaintIntent) []*Node {
	byName := map[string]*Node{}
	for _, intent := range intents {
		names := taintNames(intent)
		for i, group := range intent.Spec.Nodes {
			taints := intent.TaintsByName(group.Taints)
			for _, name := range group.Names {
				node := byName[name]
				if node == nil {
					node = &Node{Name: name, Labels: map[string]string{corev1.LabelHostname: name}, Source: nodeSource(intent, i)}
					byName[name] = node
				}
				if intent.Spec.Distribution == v1alpha1.K3s {
					node.Labels[corev1.LabelOSStable] = "linux"
				}
				for _, label := range intent.NodeLabels(name) {
					node.Labels[label.Key] = label.Value
				}
				node.add(taints, names)
			}
		}
	}
	return slices.SortedFunc(maps.Values(byName), byNodeName)
}

func byNodeName(a, b *Node) int { return strings.Compare(a.Name, b.Name) }

func (n *Node) add(taints []v1alpha1.Taint, names map[v1alpha1.Taint]string) {
	for _, t := range taints {
		taint := Taint{corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)}, names[t]}
		if !slices.ContainsFunc(n.Taints, func(has Taint) bool { return has.MatchTaint(&taint.Taint) }) {
			n.Taints = append(n.Taints, taint)
		}
	}
}

func taintNames(intent *v1alpha1.TaintIntent) map[v1alpha1.Taint]string {
	names := map[v1alpha1.Taint]string{}
	for _, named := range intent.Spec.Taints {
		if taint, err := named.Resolve(); err == nil && names[taint] == "" {
			names[taint] = named.Name
		}
	}
	return names
}

func nodeSource(intent *v1alpha1.TaintIntent, group int) finding.Source {
	position := intent.Position("spec.nodes[" + itoa(group) + "]")
	return finding.Source{File: position.File, Line: position.Line}
}
