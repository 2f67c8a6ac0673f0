package v1alpha1

import (
	"slices"

	"github.com/berth-dev/berth/generator/api/strict"
)

// nodes compares what two intents write for each node that both list.
func (p *pair) nodes() {
	for i, group := range p.later.Spec.Nodes {
		for j, node := range group.Names {
			if theirs := p.earlier.nodePath(node); theirs != "" {
				p.node(node, strict.Item(strict.Item("spec.nodes", i)+".names", j), theirs)
			}
		}
	}
}

// node reports the first way in which two intents clash on a node: what follows would only follow from it.
func (p *pair) node(node, ours, theirs string) {
	mine, other := p.later.Spec, p.earlier.Spec
	switch {
	case mine.Distribution != other.Distribution:
		p.fail(ours, "the node %s runs %s here and %s in %s: a node runs one distribution",
			node, mine.Distribution, other.Distribution, p.other(theirs))
	case mine.DropIn.FileName == other.DropIn.FileName:
		p.fail(ours, "the node %s gets the file %s from %s already: set another spec.dropIn.fileName, or list the node in one intent",
			node, mine.DropIn.FileName, p.other(theirs))
	case p.wiped(node):
		last, first := p.inOrder()
		p.fail(ours, "on the node %s, %s of the intent %s replaces the taints that %s of the intent %s (%s) sets, since k3s reads it later and its mode is own: use mode append, or list the node in one intent",
			node, last.Spec.DropIn.FileName, last.Metadata.Name, first.Spec.DropIn.FileName, first.Metadata.Name, p.earlier.Position(theirs))
	default:
		p.pairsTwice(node, ours, theirs)
		p.labelsTwice(node, ours, theirs)
	}
}

// inOrder returns the intent whose file k3s reads last, and the other. k3s reads the folder in bytewise order.
func (p *pair) inOrder() (last, first *TaintIntent) {
	if p.later.Spec.DropIn.FileName > p.earlier.Spec.DropIn.FileName {
		return p.later, p.earlier
	}
	return p.earlier, p.later
}

// wiped tells whether a file that owns the list comes after one that set taints.
func (p *pair) wiped(node string) bool {
	last, first := p.inOrder()
	return last.Spec.DropIn.Mode == Own && len(first.NodeTaints(node)) > 0
}

// pairsTwice finds a key and effect that both intents put on a node: k3s hands both to the kubelet, which refuses them.
func (p *pair) pairsTwice(node, ours, theirs string) {
	for _, taint := range p.later.NodeTaints(node) {
		if slices.ContainsFunc(p.earlier.NodeTaints(node), taint.sameAs) {
			p.fail(ours, "the node %s gets a taint %s from %s already: a node's taints are unique by key and effect, so keep one",
				node, Taint{Key: taint.Key, Effect: taint.Effect}, p.other(theirs))
		}
	}
}

// labelsTwice finds a label to which two intents give different values: the kubelet would take the one that it reads last.
func (p *pair) labelsTwice(node, ours, theirs string) {
	for _, label := range p.later.NodeLabels(node) {
		for _, other := range p.earlier.NodeLabels(node) {
			if label.Key == other.Key && label.Value != other.Value {
				p.fail(ours, "the node %s gets the label %s here and %s from %s: a label has one value", node, label, other, p.other(theirs))
			}
		}
	}
}

// sameAs compares what the Kubernetes API tells a node's taints apart by (Taint.MatchTaint).
func (t Taint) sameAs(other Taint) bool { return t.Key == other.Key && t.Effect == other.Effect }

// nodePath is where the intent lists a node, or nothing.
func (i *TaintIntent) nodePath(node string) string {
	for n, group := range i.Spec.Nodes {
		if at := slices.Index(group.Names, node); at >= 0 {
			return strict.Item(strict.Item("spec.nodes", n)+".names", at)
		}
	}
	return ""
}
