package live

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// Mark is what one layer says of a taint or a label.
type Mark string

// The marks.
const (
	Yes     Mark = "yes"
	No      Mark = "no"
	Differs Mark = "differs" // there, with another value
	Unseen  Mark = "unknown" // nobody wrote down with what the node was started
)

// Row is one taint or label of a node in its layers.
type Row struct {
	// Taint is key=value:Effect, with the value of the first layer that has it. Empty for a label.
	Taint string `json:"taint,omitempty"`
	// Label is key=value. Empty for a taint.
	Label string `json:"label,omitempty"`
	// Intent says whether an intent wants it.
	Intent Mark `json:"intent"`
	// NodeArgs says whether k3s or RKE2 was last started with it, so that the node has it when it registers anew.
	NodeArgs Mark `json:"nodeArgs"`
	// Live says whether the node has it now.
	Live Mark `json:"live"`
	// Owners are the intents for which Berth put it there.
	Owners []string `json:"owners,omitempty"`
	// Controller is the controller that adds and removes such a taint by itself.
	Controller string `json:"controller,omitempty"`
}

// NodeDiff is one node in its layers.
type NodeDiff struct {
	Name string `json:"name"`
	// InIntent and InCluster say who knows the node.
	InIntent  bool `json:"inIntent"`
	InCluster bool `json:"inCluster"`
	// Ready is the status of the node's condition: True, False or Unknown.
	Ready string `json:"ready,omitempty"`
	// Cordoned is spec.unschedulable. It is lost when the node registers anew.
	Cordoned bool `json:"cordoned"`
	// Taints and Labels are those of the intent and of the layers, in the order intent, node args, live.
	Taints []Row `json:"taints,omitempty"`
	Labels []Row `json:"labels,omitempty"`
}

// facts are a node's layers, as far as they are known.
type facts struct {
	want *want
	node *corev1.Node // nil when the cluster has none
	args *nodeArgs    // nil when the node says nothing
	own  ownership
}

func (f *facts) diff() NodeDiff {
	d := NodeDiff{Name: f.want.node, InIntent: f.want.known(), InCluster: f.node != nil}
	if f.node == nil {
		d.Taints = f.taints(nil)
		return d
	}
	d.Ready, d.Cordoned = readyOf(f.node), f.node.Spec.Unschedulable
	d.Taints, d.Labels = f.taints(ofNode(f.node.Spec.Taints)), f.labels()
	return d
}

func readyOf(node *corev1.Node) string {
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return string(c.Status)
		}
	}
	return string(corev1.ConditionUnknown)
}

// taints returns a row for each pair of key and effect that some layer has.
func (f *facts) taints(live []v1alpha1.Taint) []Row {
	var started []v1alpha1.Taint
	if f.args != nil {
		started = f.args.taints
	}
	wanted := f.want.taints()
	var rows []Row
	var seen []pair
	for _, t := range slices.Concat(wanted, started, live) {
		if slices.Contains(seen, pairOf(t)) {
			continue
		}
		seen = append(seen, pairOf(t))
		row := Row{Taint: t.String(), Intent: markTaint(wanted, t), NodeArgs: markTaint(started, t), Live: markTaint(live, t)}
		if f.args == nil {
			row.NodeArgs = Unseen
		}
		row.Owners, row.Controller = f.own.taints()[pairOf(t)], t.Controller()
		rows = append(rows, row)
	}
	return rows
}

func markTaint(in []v1alpha1.Taint, t v1alpha1.Taint) Mark {
	has, found := withPair(in, pairOf(t))
	return mark(found, has.Value == t.Value)
}

func mark(found, same bool) Mark {
	switch {
	case !found:
		return No
	case same:
		return Yes
	}
	return Differs
}
