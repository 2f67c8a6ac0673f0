package placement

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// pod is what all pods of some workloads have in common, compiled. Workloads that say the same share one.
type pod struct {
	way         way
	indirect    bool // something makes the pods that is not seen, and may make a DaemonSet of them
	nodeName    string
	tolerations []toleration
	selector    []need
	affinity    *alternatives
	preferred   int
	requests    corev1.ResourceList
	os          corev1.OSName
	volumes     []replica
	standing    []Reason // hold on every node
	unreadable  string

	named map[string]bool // the nodes that are told apart from others by name
	picky bool            // any two nodes may be told apart
}

// way is how a pod comes to its node.
type way string

const (
	scheduled way = ""       // by the scheduler
	bound     way = "bound"  // by spec.nodeName, past the scheduler
	daemon    way = "daemon" // by the DaemonSet controller and the scheduler
	static    way = "static" // by a file on the node
)

func compile(d decoded, s source) *pod {
	p := &pod{way: s.way, indirect: s.maker == chart || s.maker == operator, nodeName: d.NodeName}
	if p.way == scheduled && d.NodeName != "" {
		p.way = bound
	}
	for _, t := range d.Tolerations {
		p.tolerations = append(p.tolerations, toleration{Toleration: t, open: d.isOpen(t) || unresolvedToleration(t)})
	}
	for _, key := range slices.Sorted(maps.Keys(d.NodeSelector)) {
		p.selector = append(p.selector, exactNeed(key, d.NodeSelector[key]))
	}
	p.compileAffinity(d.Affinity)
	if d.OS != nil {
		p.os = d.OS.Name
	}
	p.requests = resource.PodRequests(&corev1.Pod{Spec: withRequests(d.PodSpec)}, resource.PodResourcesOptions{})
	return p
}

func (p *pod) compileAffinity(affinity *corev1.Affinity) {
	if affinity == nil || affinity.NodeAffinity == nil {
		return
	}
	p.preferred = len(affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	if required := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
		p.affinity = newAlternatives(required)
	}
}

// withRequests fills in what the API server defaults: a limit without a request is the request.
func withRequests(spec corev1.PodSpec) corev1.PodSpec {
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			for name, limit := range list[i].Resources.Limits {
				if _, found := list[i].Resources.Requests[name]; !found {
					if list[i].Resources.Requests == nil {
						list[i].Resources.Requests = corev1.ResourceList{}
					}
					list[i].Resources.Requests[name] = limit
				}
			}
		}
	}
	return spec
}

// finish adds the tolerations that others add, and notes which nodes the pod tells apart by name.
func (p *pod) finish(hostNetwork bool) {
	if p.way == daemon {
		p.tolerations = withDaemon(p.tolerations, hostNetwork)
	}
	p.tolerations = withDefaultSeconds(p.tolerations)
	p.named = map[string]bool{}
	if p.nodeName != "" && !unresolved(p.nodeName) {
		p.named[p.nodeName] = true
	}
	p.tellApart(p.selector)
	if p.affinity != nil {
		p.tellApart(p.affinity.needs())
	}
	for _, replica := range p.volumes {
		for _, pin := range replica {
			p.tellApart(pin.nodes.needs())
		}
	}
}

func (p *pod) tellApart(needs []need) {
	for _, n := range needs {
		names, ok := n.names()
		p.picky = p.picky || !ok
		for _, name := range names {
			p.named[name] = true
		}
	}
}
