package placement

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// alternatives are node selector terms: one of them has to hold.
type alternatives struct {
	terms []term
}

// term is a list of needs that all have to hold. An empty one holds nowhere, and so does one that is not valid: "a null
// or empty node selector term matches no objects" (Kubernetes API), and the scheduler passes over what it cannot parse.
type term struct {
	needs   []need
	invalid error
}

func newAlternatives(selector *corev1.NodeSelector) *alternatives {
	all := &alternatives{}
	for _, t := range selector.NodeSelectorTerms {
		all.terms = append(all.terms, newTerm(t))
	}
	return all
}

func newTerm(t corev1.NodeSelectorTerm) term {
	var out term
	add := func(list []corev1.NodeSelectorRequirement, field bool) {
		for _, r := range list {
			n, err := newNeed(r, field)
			if err != nil && out.invalid == nil {
				out.invalid = err
			}
			out.needs = append(out.needs, n)
		}
	}
	add(t.MatchExpressions, false)
	add(t.MatchFields, true)
	return out
}

func (a *alternatives) needs() []need {
	var all []need
	for _, t := range a.terms {
		if t.invalid == nil {
			all = append(all, t.needs...)
		}
	}
	return all
}

// holds says whether one of the terms holds on a node.
func (a *alternatives) holds(node *Node, object *corev1.Node) Answer {
	result := No
	for _, t := range a.terms {
		result = either(result, t.holds(node, object))
	}
	return result
}

func (t term) holds(node *Node, object *corev1.Node) Answer {
	if t.invalid != nil || len(t.needs) == 0 {
		return No
	}
	result := Yes
	for _, n := range t.needs {
		result = both(result, n.holds(node, object))
	}
	return result
}

// invalid returns the first term's fault, or nil.
func (a *alternatives) invalid() error {
	for i, t := range a.terms {
		if t.invalid != nil {
			return fmt.Errorf("nodeSelectorTerms[%d]: %w", i, t.invalid)
		}
	}
	return nil
}

// lacking lists, for each term, the needs that do not have the wanted answer on a node.
func (a *alternatives) lacking(node *Node, object *corev1.Node, with Answer) string {
	terms := make([]string, 0, len(a.terms))
	for _, t := range a.terms {
		terms = append(terms, t.lacking(node, object, with))
	}
	return strings.Join(terms, ", or ")
}

func (t term) lacking(node *Node, object *corev1.Node, with Answer) string {
	if t.invalid != nil {
		return "a term that is not valid"
	}
	if len(t.needs) == 0 {
		return "a term that is empty and so holds nowhere"
	}
	var parts []string
	for _, n := range t.needs {
		if got := n.holds(node, object); got == with {
			parts = append(parts, n.String()+n.has(node))
		}
	}
	if len(parts) == 0 { // the term fails for another reason than the one asked for
		for _, n := range t.needs {
			parts = append(parts, n.String())
		}
	}
	return strings.Join(parts, " and ")
}
