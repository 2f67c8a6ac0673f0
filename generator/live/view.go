package live

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/placement"
)

// view is a snapshot as some intents see it.
type view struct {
	*Snapshot
	intents []*v1alpha1.TaintIntent
	wants   map[string]*want // every node of the cluster or of an intent
	byID    map[string]*Workload
	byName  map[string]*corev1.Node
	byNode  map[string][]*corev1.Pod // see podsOn
	places  map[string]*placement.Node
	tainted map[string][]taintedNode // by the intent's name
}

// taintedNode is a node of the cluster that an intent wants to have taints.
type taintedNode struct {
	*corev1.Node
	taints []v1alpha1.Taint
}

func newView(s *Snapshot, intents []*v1alpha1.TaintIntent) *view {
	v := &view{Snapshot: s, intents: intents, wants: map[string]*want{}, byID: map[string]*Workload{},
		byName: map[string]*corev1.Node{}, byNode: map[string][]*corev1.Pod{}, places: map[string]*placement.Node{}, tainted: map[string][]taintedNode{}}
	for i := range s.Nodes {
		name := s.Nodes[i].Name
		v.byName[name], v.wants[name] = &s.Nodes[i], wantsOf(intents, name)
	}
	for i := range s.Pods {
		if pod := &s.Pods[i]; stands(pod) {
			v.byNode[pod.Spec.NodeName] = append(v.byNode[pod.Spec.NodeName], pod)
		}
	}
	for _, intent := range intents {
		for _, name := range intent.NodeNames() {
			if v.wants[name] == nil {
				v.wants[name] = wantsOf(intents, name)
			}
		}
	}
	for _, name := range v.names() {
		for _, of := range v.wants[name].intents {
			if v.node(name) != nil && len(of.taints) > 0 {
				v.tainted[of.intent] = append(v.tainted[of.intent], taintedNode{v.node(name), of.taints})
			}
		}
	}
	for i := range s.Workloads {
		v.byID[s.Workloads[i].String()] = &s.Workloads[i]
	}
	return v
}

// node returns a node of the cluster, or nil.
func (v *view) node(name string) *corev1.Node { return v.byName[name] }

// podsOn returns the pods that run on a node and that a taint is about.
func (v *view) podsOn(node string) []*corev1.Pod { return v.byNode[node] }

// names returns every node's name, sorted.
func (v *view) names() []string { return slices.Sorted(maps.Keys(v.wants)) }

// identity is what an entry of an intent may call a workload by.
type identity struct {
	finding.Object
	labels map[string]string
}

// is tells whether an entry means the workload. An entry without a kind, which is about a file of Helm values, means none.
func (i identity) is(w v1alpha1.Workload) bool {
	return w.Kind != "" && w.Matches(i.APIVersion, i.Kind, i.Namespace, i.Name, i.labels)
}

// The labels by which Flux's helm-controller marks what a HelmRelease made (helm-controller, internal/postrender).
const (
	helmReleaseName      = "helm.toolkit.fluxcd.io/name"
	helmReleaseNamespace = "helm.toolkit.fluxcd.io/namespace"
)

// identities returns the workload, what it belongs to, and so on: the objects that own it, and its HelmRelease. The first
// is the workload itself.
func (v *view) identities(w *Workload) []identity {
	all := []identity{{w.Object, w.Labels}}
	if name := w.Labels[helmReleaseName]; name != "" {
		namespace := cmp.Or(w.Labels[helmReleaseNamespace], w.Namespace)
		all = append(all, identity{Object: finding.Object{APIVersion: "helm.toolkit.fluxcd.io/v2", Kind: "HelmRelease", Namespace: namespace, Name: name}})
	}
	for _, owner := range w.Owners {
		object := finding.Object{APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: w.Namespace, Name: owner.Name}
		if up := v.byID[object.String()]; up != nil && up != w {
			all = append(all, v.identities(up)...)
			continue
		}
		all = append(all, identity{Object: object})
	}
	return all
}

// top returns the workload that a pod comes from in the end, nil for a pod that nothing known made.
func (v *view) top(namespace string, owners []metav1.OwnerReference) *Workload {
	for _, owner := range owners {
		up := v.byID[finding.Object{Kind: owner.Kind, Namespace: namespace, Name: owner.Name}.String()]
		if up == nil {
			continue
		}
		if further := v.top(namespace, up.Owners); further != nil {
			return further
		}
		return up
	}
	return nil
}

// maker is what makes a pod anew when it is gone.
type maker struct {
	finding.Object
	template *corev1.PodSpec
	workload *Workload // nil for a pod that stands alone
}

func (v *view) makerOf(pod *corev1.Pod) maker {
	if w := v.top(pod.Namespace, pod.OwnerReferences); w != nil {
		return maker{w.Object, &w.Template, w}
	}
	return maker{finding.Object{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name}, &pod.Spec, nil}
}
