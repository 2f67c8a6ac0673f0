package toleration

import (
	"fmt"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// outside reports the workloads that tolerate a taint of the intent by name, and stand in no list: an entry that was
// withdrawn leaves such a toleration behind wherever the render is kept, as kpt keeps it.
func (r *run) outside() {
	var taints []v1alpha1.Taint
	for _, named := range r.intent.Spec.Taints {
		if taint, err := named.Resolve(); err == nil {
			taints = append(taints, taint)
		}
	}
	for i, t := range r.targets {
		if r.decided[i] {
			continue
		}
		for _, taint := range taints {
			if t.Item.Mentions(taint.Key) {
				r.outsideOf(t, taint)
			}
		}
	}
}

func (r *run) outsideOf(t target, taint v1alpha1.Taint) {
	item, err := t.Item.Node()
	if err != nil {
		return // it was read once already
	}
	slots, err := podspec.Slots(item.YNode(), t.Object, v1alpha1.Carrier{})
	if err != nil {
		return // it carries none, or only the intent knows where
	}
	for _, s := range slots {
		if s.Text != nil || s.Form != podspec.List {
			continue
		}
		list := tree.Lookup(item.YNode(), s.Tolerations...)
		entries, err := readList(list)
		if err != nil {
			continue
		}
		if by := namedBy(entries, taint); by != nil {
			f := t.Find(finding.Warning, "toleration-outside-allowlist", s.Tolerations, by.node, fmt.Sprintf("tolerates %s, and no allow entry names it", taint))
			f.Action = "add it to allow with a reason, or take the toleration out"
			r.add(f)
		}
	}
}

// unused says which taints no node carries: tolerating them opens nothing.
func (r *run) unused() {
	carried := map[string]bool{}
	for _, group := range r.intent.Spec.Nodes {
		for _, name := range group.Taints {
			carried[name] = true
		}
	}
	for i, named := range r.intent.Spec.Taints {
		if carried[named.Name] {
			continue
		}
		f := finding.Finding{
			Code: "taint-unused", Severity: finding.Info, Field: fmt.Sprintf("spec.taints[%d]", i),
			Message: fmt.Sprintf("no node of the intent carries the taint %s", named.Name),
		}
		f.Source = r.position(f.Field)
		r.add(f)
	}
}
