package placement

import (
	corev1 "k8s.io/api/core/v1"
)

// Spec is a pod spec as a cluster has it: nothing in it is left out or replaced later.
type Spec struct{ pod *pod }

// NewSpec takes a pod spec from a cluster, and the kind of what makes its pods; Pod where nothing does.
func NewSpec(spec *corev1.PodSpec, kind string) Spec {
	p := compile(decoded{PodSpec: *spec.DeepCopy()}, source{way: wayOfKind(kind)})
	p.finish(spec.HostNetwork)
	return Spec{p}
}

// On says whether a new pod may start on a node, with every reason but volumes, of which a pod spec holds only names.
func (s Spec) On(n *Node) Verdict { return s.pod.on(n) }

// NodeOf takes a node from a cluster, which has no other labels than those that it shows.
func NodeOf(node *corev1.Node) *Node {
	n := &Node{Name: node.Name, Labels: map[string]string{}, LabelsComplete: true}
	n.merge(node, nil, false)
	return n
}
