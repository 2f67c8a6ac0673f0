package placement

import (
	"fmt"
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
	entries []entry
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

// read adds the workloads of one object.
func (r *reader) read(o *object) {
	if o.Kind == "RuntimeClass" && podspec.Group(o.APIVersion) == "node.k8s.io" {
		return // adds to the pods of others, and has none
	}
	slots := r.slots(o)
	if len(slots) == 0 && isMaker(o) {
		r.unseen = append(r.unseen, o.ref())
	}
	for _, slot := range slots {
		w := &Workload{Object: o.ref(), Source: o.source(o.root()), Place: placeOf(o, slot, len(slots) > 1)}
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

// placeOf says which of an object's places a slot is, in as few words as tell it from others: node-exporter for
// node-exporter.tolerations in the values of a chart, nothing for an object that has one place of its own.
func placeOf(o *object, slot podspec.Slot, several bool) string {
	path := slot.Tolerations
	switch {
	case slot.Form == podspec.Patch:
		return slot.Pod.String()
	case isService(o):
		return "svclb"
	case slot.Values != nil:
		path = slot.Values
	case !several:
		return ""
	case slot.Text == nil:
		path = path[len(o.At):]
	}
	if n := len(path); n > 1 && path[n-1] == "tolerations" && slot.Values != nil {
		path = path[:n-1]
	}
	return path.String()
}

// slots returns the places of an object: those that its kind has, and those that entries of the intents name.
func (r *reader) slots(o *object) []podspec.Slot {
	slots, err := podspec.Slots(o.tree, o.Object, v1alpha1.Carrier{})
	if err != nil || isService(o) && tree.Lookup(o.tree, slots[0].Text...) == nil {
		slots = nil // a kind that carries nothing by itself, or a Service that ServiceLB may have nothing to do with
	}
	for _, e := range r.entries {
		if !e.workload.Matches(o.APIVersion, o.Kind, o.Namespace, o.Name, o.Labels) {
			continue
		}
		named, err := podspec.Slots(o.tree, o.Object, e.carrier)
		if err != nil {
			continue // toleration.Apply reports the entry
		}
		for _, slot := range named {
			if !slices.ContainsFunc(slots, func(s podspec.Slot) bool { return same(s, slot) }) {
				slots = append(slots, slot)
			}
		}
	}
	return slots
}

// same tells whether two slots are one place.
func same(a, b podspec.Slot) bool {
	return slices.Equal(a.Tolerations, b.Tolerations) && slices.Equal(a.Text, b.Text) && a.Form == b.Form && a.Pod.String() == b.Pod.String()
}

// pod returns what a slot says of its pods, compiled once for all that say the same.
func (r *reader) pod(o *object, slot podspec.Slot) (*pod, *fault) {
	s, wrong := sourceOf(o, slot)
	if wrong != nil {
		return &pod{unreadable: wrong.message}, wrong
	}
	key := r.key(o, s)
	if known := r.pods[key]; known != nil {
		return known, nil
	}
	d, wrong := decode(s.fields)
	for _, check := range []func(decoded, *yaml.Node) *fault{checkTolerations, checkSelector, checkAffinity} {
		if wrong == nil {
			wrong = check(d, s.fields)
		}
	}
	if wrong != nil {
		if s.text != nil { // its lines are those of the text
			wrong.node = s.text
		}
		return &pod{unreadable: wrong.message}, wrong
	}
	p := compile(d, s)
	p.volumes = r.volumes.replicas(o, d.PodSpec)
	r.runtimeClass(p, d.RuntimeClassName, len(d.Overhead) > 0)
	p.remember(d, s)
	p.finish(d.HostNetwork)
	r.pods[key] = p
	return p, nil
}

// key tells pods apart that may differ.
func (r *reader) key(o *object, s source) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %t ", s.way, s.maker, s.hidden)
	if len(r.volumes) > 0 && (o.Kind == "StatefulSet" || tree.Lookup(s.fields, "volumes") != nil) {
		b.WriteString(o.Kind + "/" + o.Namespace + "/" + o.Name) // its claims are its own
	}
	shape(&b, s.fields)
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
