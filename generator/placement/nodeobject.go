package placement

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// mergeNodes completes the nodes of the intents with what Node objects say, and adds the nodes that only those know. A
// Node as a cluster prints it (it has a status.nodeInfo) tells all its labels; one that somebody wrote does not.
func mergeNodes(nodes []*Node, objects []*object, intents []*v1alpha1.TaintIntent) ([]*Node, error) {
	for _, o := range objects {
		if o.Kind != "Node" || o.APIVersion != "v1" {
			continue
		}
		found, err := readNode(o)
		if err != nil {
			return nil, err
		}
		at, known := slices.BinarySearchFunc(nodes, o.Name, func(n *Node, name string) int { return strings.Compare(n.Name, name) })
		if !known {
			nodes = slices.Insert(nodes, at, &Node{Name: o.Name, Source: o.source(nil), Labels: map[string]string{}})
		}
		nodes[at].merge(found, intents, known)
	}
	return nodes, nil
}

// merge takes over what a Node object says. The taints that the intents own are as the intents say: those are applied.
func (n *Node) merge(found *corev1.Node, intents []*v1alpha1.TaintIntent, intended bool) {
	live := found.Status.NodeInfo != (corev1.NodeSystemInfo{})
	if live {
		n.Labels = map[string]string{}
		n.LabelsComplete = true
	}
	for key, value := range found.Labels {
		n.Labels[key] = value
	}
	n.Cordoned = n.Cordoned || found.Spec.Unschedulable
	for _, taint := range found.Spec.Taints {
		if intended && owned(intents, taint) {
			continue
		}
		if taint.Key == corev1.TaintNodeUnschedulable && taint.Effect == corev1.TaintEffectNoSchedule {
			n.Cordoned = true
		}
		if !slices.ContainsFunc(n.Taints, func(has Taint) bool { return has.MatchTaint(&taint) }) {
			n.Taints = append(n.Taints, Taint{Taint: taint})
		}
	}
	if found.Status.Allocatable != nil {
		n.Allocatable = found.Status.Allocatable
	}
}

// owned says whether an intent declares a taint's key and effect: then the intent alone says which node has it.
func owned(intents []*v1alpha1.TaintIntent, taint corev1.Taint) bool {
	for _, intent := range intents {
		for _, named := range intent.Spec.Taints {
			t, err := named.Resolve()
			if err == nil && t.Key == taint.Key && string(t.Effect) == string(taint.Effect) {
				return true
			}
		}
	}
	return false
}

func readNode(o *object) (*corev1.Node, error) {
	node := &corev1.Node{}
	node.Labels = o.Labels
	for _, part := range []struct {
		path string
		keys []string
		into any
	}{
		{"spec", []string{"taints", "unschedulable"}, &node.Spec},
		{"status", []string{"allocatable", "nodeInfo"}, &node.Status},
	} {
		fields := pick(tree.Lookup(o.root(), part.path), part.keys...)
		if fields == nil {
			continue
		}
		if err := decodeInto(fields, part.into); err != nil {
			return nil, o.fault(typeFault(fields, err))
		}
	}
	return node, nil
}
