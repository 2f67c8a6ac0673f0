package placement

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// reader turns the objects of a render into workloads.
type reader struct {
	intents []*v1alpha1.TaintIntent
	classes map[string]runtimeClass
	volumes volumeMap
	pods    map[string]*pod // by what they say

	workloads []*Workload
	unseen    []finding.Object
	findings  []finding.Finding
}

// makers are the kinds whose controller makes workloads that are not in the render.
var makers = map[string]string{
	"HelmRelease": "helm.toolkit.fluxcd.io", "Kustomization": "kustomize.toolkit.fluxcd.io",
	"HelmChart": "helm.cattle.io", "HelmChartConfig": "helm.cattle.io", "Application": "argoproj.io", "ApplicationSet": "argoproj.io",
}

func isMaker(o *object) bool {
	return makers[o.Kind] != "" && makers[o.Kind] == podspec.Group(o.APIVersion)
}

// wholePods are the groups of Kubernetes' own kinds with pods: their templates are pod specs from end to end.
var wholePods = []string{"", "apps", "batch"}

// read adds the workloads of one object.
func (r *reader) read(o *object) {
	slots := r.slots(o)
	if len(slots) == 0 && isMaker(o) {
		r.unseen = append(r.unseen, o.ref())
	}
	for _, slot := range slots {
		w := &Workload{Object: o.ref(), Source: o.source(o.root())}
		if len(slots) > 1 || slot.ChartDefaults {
			w.Place = strings.TrimPrefix(slot.Tolerations[len(o.At):].String(), "spec.values.")
		}
		pod, wrong := r.pod(o, slot)
		if wrong != nil {
			r.findings = append(r.findings, finding.Finding{
				Code: CodeUnreadable, Severity: finding.Error, Object: &w.Object, Field: wrong.path, Source: o.source(wrong.node),
				Message: wrong.message, Action: "correct it: the API server would refuse the object",
			})
		}
		w.pod = pod
		r.workloads = append(r.workloads, w)
	}
}

// slots returns the places of an object: those that its kind has, and those that entries of the intents name.
func (r *reader) slots(o *object) []podspec.Slot {
	slots, err := podspec.Slots(o.tree, o.Object, v1alpha1.Carrier{})
	if err != nil {
		slots = nil // a kind that carries nothing by itself
	}
	for _, carrier := range r.carriers(o) {
		named, err := podspec.Slots(o.tree, o.Object, carrier)
		if err != nil {
			continue // toleration.Apply reports the entry
		}
		for _, slot := range named {
			if !slices.ContainsFunc(slots, func(s podspec.Slot) bool { return slices.Equal(s.Tolerations, slot.Tolerations) }) {
				slots = append(slots, slot)
			}
		}
	}
	return slots
}

func (r *reader) carriers(o *object) []v1alpha1.Carrier {
	var all []v1alpha1.Carrier
	take := func(w v1alpha1.Workload, c v1alpha1.Carrier) {
		if w.Matches(o.APIVersion, o.Kind, o.Namespace, o.Name, o.Labels) {
			all = append(all, c)
		}
	}
	for _, intent := range r.intents {
		for _, allow := range intent.Spec.Allow {
			take(allow.Workload, allow.Carrier)
		}
		for _, deny := range intent.Spec.Deny {
			take(deny.Workload, deny.Carrier)
		}
	}
	return all
}

// pod returns what a slot says of its pods, compiled once for all that say the same.
func (r *reader) pod(o *object, slot podspec.Slot) (*pod, *fault) {
	whole := !slot.ChartDefaults && slices.Contains(wholePods, podspec.Group(o.APIVersion))
	fields := schedulingFields(tree.Lookup(o.tree, slot.Tolerations[:len(slot.Tolerations)-1]...), whole)
	key := r.key(o, slot, fields, whole)
	if known := r.pods[key]; known != nil {
		return known, nil
	}
	d, wrong := decode(fields)
	if wrong == nil {
		wrong = checkTolerations(d, fields)
	}
	if wrong != nil {
		return &pod{unreadable: wrong.message}, wrong
	}
	p := compile(d, wayOf(o), slot.ChartDefaults)
	p.volumes = r.volumes.replicas(o, d.PodSpec)
	r.runtimeClass(p, d.RuntimeClassName)
	p.remember(d, fields)
	p.finish(d.HostNetwork)
	r.pods[key] = p
	return p, nil
}

// key tells pods apart that may differ.
func (r *reader) key(o *object, slot podspec.Slot, fields *yaml.Node, whole bool) string {
	var b strings.Builder
	b.WriteString(string(wayOf(o)))
	if whole {
		b.WriteString(" whole")
	}
	if slot.ChartDefaults {
		b.WriteString(" chart")
	}
	if len(r.volumes) > 0 && (o.Kind == "StatefulSet" || tree.Lookup(fields, "volumes") != nil) {
		b.WriteString(" " + o.Kind + "/" + o.Namespace + "/" + o.Name) // its claims are its own
	}
	shape(&b, fields)
	return b.String()
}

// wayOf says how the pods of an object come to their nodes. The kubelet marks a static pod's mirror with annotations.
func wayOf(o *object) way {
	switch {
	case o.Kind == "DaemonSet" && podspec.Group(o.APIVersion) == "apps":
		return daemon
	case o.Kind == "Pod" && o.APIVersion == "v1" && isStatic(o):
		return static
	}
	return scheduled
}

func isStatic(o *object) bool {
	annotations := o.at("metadata", "annotations")
	source := tree.Lookup(annotations, "kubernetes.io/config.source")
	return tree.Lookup(annotations, "kubernetes.io/config.mirror") != nil || source != nil && source.Value != "api"
}
