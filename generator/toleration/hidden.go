package toleration

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// The annotations of a namespace that the admission plugin PodTolerationRestriction reads: tolerations that every pod in
// it gets, and the only ones that a pod in it may have.
const (
	defaultTolerations   = "scheduler.alpha.kubernetes.io/defaultTolerations"
	tolerationsWhitelist = "scheduler.alpha.kubernetes.io/tolerationsWhitelist"
)

// hidden reports the tolerations that pods get without a word in their own objects, and the annotations that were meant
// to give some and do not.
func (r *run) hidden() {
	for _, i := range r.byKind["RuntimeClass"] {
		if !r.decided[i] {
			r.runtimeClass(r.targets[i])
		}
	}
	for _, i := range r.byKind["Namespace"] {
		r.namespace(r.targets[i])
	}
	for _, i := range r.byKind["Service"] {
		t := r.targets[i]
		for _, key := range podspec.MisspelledServiceLB(t.Object) {
			f := t.Find(finding.Warning, "servicelb-annotation-misspelled", tree.Path{"metadata", "annotations", key}, nil, "nobody reads this annotation")
			f.Action = "ServiceLB of k3s reads " + podspec.ServiceLBTolerations
			r.add(f)
		}
	}
}

func (r *run) runtimeClass(t target) {
	root, err := t.Item.Node()
	if err != nil {
		return // it was read once already
	}
	list := tree.Lookup(root.YNode(), t.Object.At.Join("scheduling", "tolerations")...)
	entries, err := readList(list)
	if err != nil {
		return
	}
	r.grants(t, tree.Path{"scheduling", "tolerations"}, list, entries, "every pod with this runtime class")
}

func (r *run) namespace(t target) {
	text, found := t.Object.Annotations[defaultTolerations]
	if !found || t.Object.APIVersion != "v1" {
		return
	}
	path := tree.Path{"metadata", "annotations", defaultTolerations}
	entries, err := readAnnotation(text)
	if err != nil {
		r.add(t.Find(finding.Warning, "tolerations-invalid", path, nil, err.Error()))
		return
	}
	r.grants(t, path, nil, entries, "every pod in this namespace, where PodTolerationRestriction is on,")
}

// readAnnotation reads a list that is the whole text of an annotation.
func readAnnotation(text string) ([]entry, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, fmt.Errorf("the list does not parse: %w", err)
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	return readList(document.Content[0])
}

func (r *run) grants(t target, path tree.Path, node *yaml.Node, entries []entry, who string) {
	var granted []v1alpha1.Taint
	for _, taint := range r.taints() {
		if slices.ContainsFunc(entries, func(e entry) bool { return e.tolerates(taint) }) {
			granted = append(granted, taint)
		}
	}
	if len(granted) == 0 {
		return
	}
	f := t.Find(finding.Warning, "hidden-grant", path, node, fmt.Sprintf("%s tolerates %s, whatever this intent says", who, names(granted)))
	f.Action = "remove the toleration, or know that it counts as an allow entry"
	r.add(f)
}

// taints are the taints that the intent puts on nodes, in its own order.
func (r *run) taints() []v1alpha1.Taint {
	var all []v1alpha1.Taint
	for _, named := range r.intent.Spec.Taints {
		if taint, err := named.Resolve(); err == nil {
			all = append(all, taint)
		}
	}
	return all
}

// whitelisted warns when the namespace of a workload forbids the tolerations that it was given: the object is applied,
// and its pods are refused.
func (r *run) whitelisted(t target, added []v1alpha1.Taint) {
	for _, i := range r.byKind["Namespace"] {
		namespace := r.targets[i].Object
		text, found := namespace.Annotations[tolerationsWhitelist]
		if !found || namespace.Name != t.Object.Namespace {
			continue
		}
		allowed, err := readAnnotation(text)
		if err != nil {
			continue
		}
		for _, taint := range added {
			if !slices.ContainsFunc(allowed, func(e entry) bool { return e.tolerates(taint) }) {
				f := t.Find(finding.Warning, "toleration-not-whitelisted", nil, nil, fmt.Sprintf("the namespace %s does not list %s in %s, so PodTolerationRestriction refuses its pods", namespace.Name, taint, tolerationsWhitelist))
				f.Action = "add the toleration to the annotation"
				r.add(f)
			}
		}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
