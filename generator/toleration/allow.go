package toleration

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// allow completes a list: what stands there stays as it is written, and each taint that no entry names is added once.
func (r *run) allow(t target, s slot, taints []v1alpha1.Taint) error {
	var added, present []string
	merged := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	if s.list != nil {
		*merged = *s.list
		merged.Content = append([]*yaml.Node(nil), s.list.Content...)
	}
	if len(merged.Content) == 0 {
		merged.Style = 0 // [] becomes a block, since it is no longer empty
	}
	for _, taint := range taints {
		if by := namedBy(s.entries, taint); by != nil {
			present = append(present, taint.String())
			r.limited(t, s, by, taint)
			continue
		}
		added = append(added, taint.String())
		merged.Content = append(merged.Content, entryFor(taint))
	}
	r.blankets(t, s)
	if len(added) == 0 {
		r.add(t.Find(finding.Info, "tolerated", s.Tolerations, s.list, "already tolerates "+strings.Join(present, ", ")))
		return nil
	}
	if err := r.write(t, s.Tolerations, merged); err != nil {
		return err
	}
	r.added(t, s, added)
	return nil
}

func namedBy(entries []entry, taint v1alpha1.Taint) *entry {
	for i := range entries {
		if entries[i].names(taint) {
			return &entries[i]
		}
	}
	return nil
}

func (r *run) added(t target, s slot, added []string) {
	r.add(t.Find(finding.Info, "toleration-added", s.Tolerations, s.list, "now tolerates "+strings.Join(added, ", ")))
	if s.list == nil && s.ChartDefaults {
		f := t.Find(finding.Warning, "helm-value-created", s.Tolerations, nil,
			fmt.Sprintf("the value %s was not set and was created", path(s.Tolerations)))
		f.Action = "check that the chart reads it, and repeat the chart's own default tolerations there, since Helm replaces lists"
		r.add(f)
	}
	if t.Object.Kind == "Job" && podspec.Group(t.Object.APIVersion) == "batch" {
		f := t.Find(finding.Warning, "job-immutable", s.Tolerations, nil, "the template of a Job that exists cannot be changed")
		f.Action = "delete the Job first, or let Flux re-create it with the annotation kustomize.toolkit.fluxcd.io/force: enabled"
		r.add(f)
	}
}

// path shortens a path in a HelmRelease to what a values file calls it.
func path(p tree.Path) string {
	for i, step := range p {
		if step == "values" {
			return p[i+1:].String()
		}
	}
	return p.String()
}

// limited warns about a toleration that ends: adding one without an end would not help, since the shortest one wins.
func (r *run) limited(t target, s slot, by *entry, taint v1alpha1.Taint) {
	if by.TolerationSeconds == nil || taint.Effect != v1alpha1.NoExecute {
		return
	}
	f := t.Find(finding.Warning, "toleration-ends", s.Tolerations, by.node,
		fmt.Sprintf("tolerates %s for %d seconds only, then its pods are evicted", taint, *by.TolerationSeconds))
	f.Action = "remove tolerationSeconds if it is meant to stay"
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
		r.add(t.Find(finding.Warning, "blanket-toleration", s.Tolerations, e.node,
			fmt.Sprintf("tolerates %s on every node, whatever this intent says", effect)))
	}
}
