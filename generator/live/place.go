package live

import (
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/placement"
)

// Without the intents' taints a pod may be kept off a node all the same: by its selector or affinity, a request that the
// node does not offer, a taint of somebody else's. That is none of the intents' doing.

// apart returns a node as it is apart from the intents' taints, from cordons and from what controllers add, which come
// and go: with the labels that the intents give it.
func (v *view) apart(name string) *placement.Node {
	if known := v.places[name]; known != nil {
		return known
	}
	live, w := v.node(name), v.wants[name]
	node := &corev1.Node{Status: live.Status}
	node.Name = name
	node.Labels = map[string]string{}
	maps.Copy(node.Labels, live.Labels)
	maps.Copy(node.Labels, w.labels())
	for _, t := range foreign(live, w) {
		if _, wanted := withPair(w.taints(), pairOf(t)); !wanted {
			node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)})
		}
	}
	v.places[name] = placement.NodeOf(node)
	return v.places[name]
}

// elsewise says what keeps new pods of a template off a node apart from the intents' taints, or nothing.
func (v *view) elsewise(template *corev1.PodSpec, kind, node string) string {
	if kind == "Pod" { // its nodeName is where the scheduler put it
		alone := *template
		alone.NodeName, template = "", &alone
	}
	verdict := placement.NewSpec(template, kind).On(v.apart(node))
	for _, r := range verdict.Reasons {
		if r.Bearing == placement.Blocks {
			return r.Message
		}
	}
	return ""
}
