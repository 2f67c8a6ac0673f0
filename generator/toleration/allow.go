package toleration

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

// allow completes a list: what stands there stays as it is written, and each taint that no entry names is added once.
func (r *run) allow(t target, s slot, taints []v1alpha1.Taint) error {
	add, present := missing(s.entries, taints)
	for _, taint := range taints {
		r.limited(t, s, taint)
	}
	r.blankets(t, s)
	if len(add) == 0 {
		r.add(s.find(t, finding.Info, "tolerated", s.list, "already tolerates "+names(present)))
		return r.guard(t, s, s.Tolerations)
	}
	value := merged(s.list, add)
	if s.Form == podspec.Line {
		value = lineOf(s.list, add)
	}
	if err := r.set(t, s, s.Tolerations, value); err != nil {
		return err
	}
	r.added(t, s, add)
	return nil
}

// missing parts the taints into those that no entry names, and those that one does.
func missing(entries []entry, taints []v1alpha1.Taint) (add, present []v1alpha1.Taint) {
	for _, taint := range taints {
		if namedBy(entries, taint) != nil {
			present = append(present, taint)
		} else {
			add = append(add, taint)
		}
	}
	return add, present
}

// merged is a list with the tolerations of some taints behind what stands there.
func merged(list *yaml.Node, add []v1alpha1.Taint) *yaml.Node {
	out := tree.List()
	if list != nil {
		*out = *list
		out.Content = append([]*yaml.Node(nil), list.Content...)
	}
	if len(out.Content) == 0 {
		out.Style = 0 // [] becomes a block, since it is no longer empty
	}
	for _, taint := range add {
		out.Content = append(out.Content, entryFor(taint))
	}
	return out
}

func names(taints []v1alpha1.Taint) string {
	var all []string
	for _, taint := range taints {
		all = append(all, taint.String())
	}
	return strings.Join(all, ", ")
}

func namedBy(entries []entry, taint v1alpha1.Taint) *entry {
	for i := range entries {
		if entries[i].names(taint) {
			return &entries[i]
		}
	}
	return nil
}

func (r *run) added(t target, s slot, added []v1alpha1.Taint) {
	r.add(s.find(t, finding.Info, "toleration-added", s.list, "now tolerates "+names(added)))
	r.whitelisted(t, added)
	if s.list == nil && s.ChartDefaults {
		r.created(t, s)
	}
	if t.Object.Kind == "Job" && podspec.Group(t.Object.APIVersion) == "batch" {
		f := s.find(t, finding.Warning, "job-immutable", nil, "the template of a Job that exists cannot be changed")
		f.Action = "delete the Job first, or let Flux re-create it with the annotation kustomize.toolkit.fluxcd.io/force: enabled"
		r.add(f)
	}
}

// created warns about a list that hides another one, which nobody sees here.
func (r *run) created(t target, s slot) {
	f := s.find(t, finding.Warning, "helm-value-created", nil, fmt.Sprintf("the value %s was not set and was created", s.Values))
	f.Action = "check that the chart reads it, and repeat the chart's own default tolerations there, since Helm replaces lists"
	if root, err := t.Item.Node(); err == nil && tree.Lookup(root.YNode(), t.Object.At.Join("spec", "valuesFrom")...) != nil {
		f.Action += ", and those that valuesFrom brings"
	}
	if defaults := podspec.DefaultsOf(t.Object, s.Slot); defaults != "" {
		f.Action += "; they are " + defaults
	}
	r.add(f)
}

// limited warns about a toleration that ends. Of several that match a taint the first one decides
// (k8s.io/component-helpers, GetMatchingTolerations), so that one without an end behind it does not help.
func (r *run) limited(t target, s slot, taint v1alpha1.Taint) {
	at := slices.IndexFunc(s.entries, func(e entry) bool { return e.tolerates(taint) })
	if at < 0 || taint.Effect != v1alpha1.NoExecute || s.entries[at].TolerationSeconds == nil {
		return
	}
	f := s.find(t, finding.Warning, "toleration-ends", s.entries[at].node,
		fmt.Sprintf("tolerates %s for %d seconds only, then its pods are evicted: the first entry that matches decides", taint, *s.entries[at].TolerationSeconds))
	f.Action = "remove tolerationSeconds, or the entry, if it is meant to stay"
	r.add(f)
}

func (r *run) blankets(t target, s slot) {
	for _, e := range s.entries {
		if !e.blanket() {
			continue
		}
		effect := "every taint"
		if e.Effect != "" {
			effect = "every " + string(e.Effect) + " taint"
		}
		r.add(s.find(t, finding.Warning, "blanket-toleration", e.node,
			fmt.Sprintf("tolerates %s on every node, whatever this intent says", effect)))
	}
}
