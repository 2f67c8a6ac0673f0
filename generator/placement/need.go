package placement

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// need is one requirement on a node: on a label, or on its name.
type need struct {
	requirement corev1.NodeSelectorRequirement
	field       bool // on metadata.name
	exact       bool // from a nodeSelector, which the scheduler compares without looking whether it is valid
	open        bool // holds a ${...}
	selector    *nodeaffinity.NodeSelector
}

// newNeed compiles a requirement. The error is what the scheduler finds wrong with it.
func newNeed(r corev1.NodeSelectorRequirement, field bool) (need, error) {
	n := need{requirement: r, field: field, open: unresolved(r.Key) || unresolved(string(r.Operator)) || unresolved(strings.Join(r.Values, " "))}
	if n.open {
		return n, nil
	}
	term := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{r}}
	if field {
		term = corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{r}}
	}
	selector, err := nodeaffinity.NewNodeSelector(&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}})
	n.selector = selector
	return n, err
}

// exactNeed is a line of a nodeSelector.
func exactNeed(key, value string) need {
	r := corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}}
	return need{requirement: r, exact: true, open: unresolved(key) || unresolved(value)}
}

// holds says whether a node fulfils the requirement.
func (n need) holds(node *Node, object *corev1.Node) Answer {
	if n.open {
		return Unknown
	}
	if n.field {
		return answer(n.selector.Match(object))
	}
	value, has := node.label(n.requirement.Key)
	switch {
	case has == Unknown:
		return Unknown
	case n.exact:
		return answer(has == Yes && value == n.requirement.Values[0])
	}
	return answer(n.selector.Match(object))
}

// String is the requirement as a person reads it. Of a long list the first four values are written out.
func (n need) String() string {
	values := n.requirement.Values
	if n.exact {
		return n.requirement.Key + "=" + values[0]
	}
	text := n.requirement.Key + " " + string(n.requirement.Operator)
	switch {
	case len(values) == 0:
		return text
	case len(values) > 5:
		return fmt.Sprintf("%s [%s and %d more]", text, strings.Join(values[:4], " "), len(values)-4)
	}
	return text + " [" + strings.Join(values, " ") + "]"
}

// has says what a node has instead. A node's own name is left out, so that nodes can share what is said of them.
func (n need) has(node *Node) string {
	if n.field || n.requirement.Key == corev1.LabelHostname {
		return ""
	}
	value, has := node.label(n.requirement.Key)
	switch has {
	case Yes:
		return fmt.Sprintf(" (the node has %s=%s)", n.requirement.Key, value)
	case No:
		return fmt.Sprintf(" (the node has no label %s)", n.requirement.Key)
	}
	return ""
}

// names are the nodes that the requirement tells apart from all others. ok is false when it may tell apart any two.
func (n need) names() (names []string, ok bool) {
	switch {
	case n.open, !n.field && n.requirement.Key != corev1.LabelHostname:
		return nil, true
	case n.field && n.requirement.Key != metav1.ObjectNameField:
		return nil, true
	}
	switch n.requirement.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		return n.requirement.Values, true
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		return nil, true
	}
	return nil, false
}
