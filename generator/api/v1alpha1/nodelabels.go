package v1alpha1

import (
	"slices"
	"strings"

	kubelet "k8s.io/kubelet/pkg/apis"
)

// Label is a label of a node.
type Label struct{ Key, Value string }

// String returns the spelling of kubelet's --node-labels: key=value.
func (l Label) String() string { return l.Key + "=" + l.Value }

// ParseLabel reads key=value. A label without = has the empty value.
func ParseLabel(s string) Label {
	key, value, _ := strings.Cut(s, "=")
	return Label{Key: key, Value: value}
}

// NodeLabels returns the labels that the intent gives a node, sorted by key: those of its group, and those of the
// taints that it carries.
func (i *TaintIntent) NodeLabels(node string) []Label {
	var labels []Label
	for _, group := range i.Spec.Nodes {
		if !slices.Contains(group.Names, node) {
			continue
		}
		for _, key := range sortedKeys(group.Labels) {
			labels = append(labels, Label{key, group.Labels[key]})
		}
		for _, name := range group.Taints {
			if label := i.labelOf(name); label != nil {
				labels = append(labels, *label)
			}
		}
	}
	slices.SortFunc(labels, func(a, b Label) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(labels)
}

// LabelsByName returns the labels of the taints with these names, in the order of the names; a taint without one is
// left out.
func (i *TaintIntent) LabelsByName(names []string) []Label {
	var labels []Label
	for _, name := range names {
		if label := i.labelOf(name); label != nil && !slices.Contains(labels, *label) {
			labels = append(labels, *label)
		}
	}
	return labels
}

func (i *TaintIntent) labelOf(taint string) *Label {
	for _, named := range i.Spec.Taints {
		if named.Name == taint && named.Label != "" {
			label := ParseLabel(named.Label)
			return &label
		}
	}
	return nil
}

// KubeletMaySet tells whether a kubelet may give its own node a label with this key. With a label that it may not set,
// such as node-role.kubernetes.io/worker, the kubelet does not start ("unknown 'kubernetes.io' or 'k8s.io' labels
// specified with --node-labels"); somebody else has to set it.
func KubeletMaySet(key string) bool {
	prefix, _, qualified := strings.Cut(key, "/")
	ofKubernetes := qualified && (within(prefix, "kubernetes.io") || within(prefix, "k8s.io"))
	return !ofKubernetes || kubelet.IsKubeletLabel(key)
}

func within(prefix, domain string) bool {
	return prefix == domain || strings.HasSuffix(prefix, "."+domain)
}
