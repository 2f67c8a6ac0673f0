package live

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// Draft is a first intent for a cluster: it says what is there already, so that applying it changes nothing.
type Draft struct {
	name         string
	distribution v1alpha1.Distribution
	taints       []draftTaint
	nodes        []draftNodes
	allow        []draftAllow
	// asides are workloads that tolerate a taint and that only a person can write an entry for.
	asides []string
}

type draftTaint struct {
	name string
	v1alpha1.Taint
}

// draftNodes are nodes with the same taints.
type draftNodes struct {
	names  []string
	taints []string
	// notes say what else is known of each of them.
	notes []string
}

type draftAllow struct {
	kind, namespace, name string
	tolerate              []string
}

// NewDraft makes a draft of a snapshot.
func NewDraft(s *Snapshot, name string) *Draft {
	d := &drafter{view: newView(s, nil), draft: &Draft{name: name, distribution: v1alpha1.K3s}}
	for i := range s.Nodes {
		d.node(&s.Nodes[i])
	}
	for i := range s.Workloads {
		d.workload(&s.Workloads[i])
	}
	return d.draft
}

type drafter struct {
	*view
	draft *Draft
}

// node puts a node into the group with the same taints.
func (d *drafter) node(node *corev1.Node) {
	if _, found := node.Annotations["rke2.io/node-args"]; found {
		d.draft.distribution = v1alpha1.RKE2
	}
	var taints []string
	for _, t := range ofNode(node.Spec.Taints) {
		if t.Controller() == "" {
			taints = append(taints, d.taint(t))
		}
	}
	i := slices.IndexFunc(d.draft.nodes, func(n draftNodes) bool { return slices.Equal(n.taints, taints) })
	if i < 0 {
		i = len(d.draft.nodes)
		d.draft.nodes = append(d.draft.nodes, draftNodes{taints: taints})
	}
	group := &d.draft.nodes[i]
	group.names = append(group.names, node.Name)
	group.notes = append(group.notes, d.notes(node)...)
}

// taint returns the name of a taint in the draft, which is new the first time.
func (d *drafter) taint(t v1alpha1.Taint) string {
	for _, known := range d.draft.taints {
		if known.Taint == t {
			return known.name
		}
	}
	short := t.Key[strings.LastIndex(t.Key, "/")+1:]
	name := short
	for n := 2; slices.ContainsFunc(d.draft.taints, func(k draftTaint) bool { return k.name == name }); n++ {
		name = fmt.Sprintf("%s-%d", short, n)
	}
	d.draft.taints = append(d.draft.taints, draftTaint{name, t})
	return name
}

// notes says what a reader wants to know of a node before deciding on a taint: that it is cordoned, and what runs there.
func (d *drafter) notes(node *corev1.Node) []string {
	if len(node.Spec.Taints) == 0 && !node.Spec.Unschedulable {
		return nil
	}
	var notes []string
	if node.Spec.Unschedulable {
		notes = append(notes, node.Name+" is cordoned, which is lost when it registers anew: a taint lasts.")
	}
	if node.Status.Conditions != nil && readyOf(node) != string(corev1.ConditionTrue) {
		notes = append(notes, node.Name+" is not ready.")
	}
	for _, stay := range d.staysOn(node.Name) {
		notes = append(notes, node.Name+" runs "+stay.maker.String()+".")
	}
	return notes
}

// workload writes an entry for what tolerates a taint of the draft by name.
func (d *drafter) workload(w *Workload) {
	if d.top(w.Namespace, w.Owners) != nil {
		return
	}
	var names []string
	blanket := false
	for _, t := range d.draft.taints {
		switch {
		case byName(w.Template.Tolerations, t.Taint):
			names = append(names, t.name)
		case tolerates(w.Template.Tolerations, t.Taint):
			blanket = true
		}
	}
	identities := d.identities(w)
	above := identities[len(identities)-1]
	switch {
	case len(names) > 0 && len(identities) == 1:
		d.draft.allow = append(d.draft.allow, draftAllow{w.Kind, w.Namespace, w.Name, names})
	case len(names) > 0:
		d.draft.asides = append(d.draft.asides, fmt.Sprintf("%s tolerates %s and belongs to %s: allow that.", w.Object, strings.Join(names, ", "), above.Object))
	case blanket:
		d.draft.asides = append(d.draft.asides, fmt.Sprintf("%s tolerates whatever there is: allow or deny it.", w.Object))
	}
}
