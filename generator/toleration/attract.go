package toleration

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

// weight is that of a preference, as strong as the API allows: the tainted nodes are there for the workload, and the
// scheduler weighs other preferences against it.
const weight = "100"

// attract draws a workload to the nodes whose taints it tolerates, by the labels of the taints.
func (r *run) attract(t target, s slot, e carrierOf) error {
	if e.strength == "" {
		return nil
	}
	if s.NodeAffinity == nil {
		return noAffinity(t, s, "place: "+string(e.strength)+" needs a node affinity")
	}
	path, value, err := attracting(s.root, s.NodeAffinity, e)
	if err != nil {
		return err
	}
	if value == nil {
		r.add(t.Find(finding.Info, "attraction-present", s.field(path), s.node(s.list), "is drawn to "+labels(e)+" already"))
		return nil
	}
	if err := r.set(t, s, path, value); err != nil {
		return err
	}
	r.add(t.Find(finding.Info, "attraction-added", s.field(path), s.node(s.list), attracted(e)))
	return nil
}

func attracted(e carrierOf) string {
	if e.strength == v1alpha1.Require {
		return "a required node affinity now keeps it on nodes with " + labels(e)
	}
	return "a preferred node affinity now draws it to nodes with " + labels(e)
}

func labels(e carrierOf) string {
	var all []string
	for _, label := range e.labels {
		all = append(all, label.String())
	}
	return strings.Join(all, " or ")
}

func attracting(root *yaml.Node, affinity tree.Path, e carrierOf) (tree.Path, *yaml.Node, error) {
	groups := byKey(e.labels)
	if e.strength == v1alpha1.Require {
		return requiring(root, affinity, groups)
	}
	return preferring(root, affinity, groups)
}

// group is a label's key with the values of which any will do.
type group struct {
	key    string
	values []string
}

func byKey(labels []v1alpha1.Label) []group {
	var groups []group
	for _, label := range labels {
		i := slices.IndexFunc(groups, func(g group) bool { return g.key == label.Key })
		if i < 0 {
			i, groups = len(groups), append(groups, group{key: label.Key})
		}
		groups[i].values = append(groups[i].values, label.Value)
	}
	return groups
}

func (g group) expression() *yaml.Node {
	return expression(g.key, string(corev1.NodeSelectorOpIn), g.values...)
}

func (g group) term() *yaml.Node { return tree.Map("matchExpressions", tree.List(g.expression())) }

// within tells whether a term lets nothing through but nodes of the group.
func (g group) within(term *yaml.Node) bool {
	values := expressionOf(term, g.key, string(corev1.NodeSelectorOpIn))
	return values != nil && len(values.Content) > 0 &&
		!slices.ContainsFunc(values.Content, func(v *yaml.Node) bool { return !slices.Contains(g.values, v.Value) })
}

func anyWithin(groups []group, term *yaml.Node) bool {
	return slices.ContainsFunc(groups, func(g group) bool { return g.within(term) })
}

// requiring completes each term so that it holds for nodes of the groups only. Terms are alternatives and the groups are
// too, so that with several groups a term becomes one for each.
func requiring(root *yaml.Node, affinity tree.Path, groups []group) (tree.Path, *yaml.Node, error) {
	complete := func(term *yaml.Node) ([]*yaml.Node, bool, error) {
		if anyWithin(groups, term) {
			return []*yaml.Node{term}, false, nil
		}
		var terms []*yaml.Node
		for _, g := range groups {
			narrowed := yaml.NewRNode(term).Copy().YNode()
			if err := addExpression(narrowed, g.expression()); err != nil {
				return nil, false, err
			}
			terms = append(terms, narrowed)
		}
		return terms, true, nil
	}
	var fresh []*yaml.Node
	for _, g := range groups {
		fresh = append(fresh, g.term())
	}
	return completeTerms(root, affinity, complete, fresh...)
}

// preferring adds a preference for each group that has none yet.
func preferring(root *yaml.Node, affinity tree.Path, groups []group) (tree.Path, *yaml.Node, error) {
	path := affinity.Join(preferred)
	found, err := listAt(root, path)
	if err != nil {
		return nil, nil, err
	}
	before := len(found.Content)
	for _, g := range groups {
		if slices.ContainsFunc(found.Content, func(item *yaml.Node) bool { return g.within(tree.Lookup(item, "preference")) }) {
			continue
		}
		number := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: weight}
		found.Content = append(found.Content, tree.Map("weight", number, "preference", g.term()))
	}
	if len(found.Content) == before {
		return path, nil, nil
	}
	if before == 0 {
		found.Style = 0
	}
	return path, found, nil
}

// labelsForApply names the labels that a kubelet may not set on its own node, so that no drop-in can register them.
func (r *run) labelsForApply() {
	seen := map[string][]string{}
	for _, node := range r.intent.NodeNames() {
		for _, label := range r.intent.NodeLabels(node) {
			if !v1alpha1.KubeletMaySet(label.Key) {
				seen[label.String()] = append(seen[label.String()], node)
			}
		}
	}
	for _, label := range sortedKeys(seen) {
		r.add(finding.Finding{
			Code: "label-needs-apply", Severity: finding.Warning, Field: "spec.nodes",
			Message: fmt.Sprintf("a kubelet may not give its own node the label %s, so no drop-in registers it for %s", label, strings.Join(seen[label], ", ")),
			Action:  "run berth apply, or kubectl label nodes, after each node has registered",
		})
	}
}
