package toleration

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

const (
	required  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferred = "preferredDuringSchedulingIgnoredDuringExecution"
)

// completer turns one node selector term into those that take its place, and tells whether that changed something.
type completer func(term *yaml.Node) ([]*yaml.Node, bool, error)

// completeTerms returns the place of the node selector terms below a node affinity, and the terms completed; nil terms
// when nothing is missing. What stands there is kept: the terms are alternatives, so that each one has to be completed
// for itself. fresh are the terms where there are none yet.
func completeTerms(root *yaml.Node, affinity tree.Path, complete completer, fresh ...*yaml.Node) (tree.Path, *yaml.Node, error) {
	path := affinity.Join(required, "nodeSelectorTerms")
	found, err := listAt(root, path)
	if err != nil {
		return nil, nil, err
	}
	if len(found.Content) == 0 {
		found.Style, found.Content = 0, fresh
		return path, found, nil
	}
	var terms []*yaml.Node
	changed := false
	for i, term := range found.Content {
		instead, did, err := completeTerm(term, complete)
		if err != nil {
			return nil, nil, fmt.Errorf("%s[%d]: %w", path, i, err)
		}
		terms = append(terms, instead...)
		changed = changed || did
	}
	if !changed {
		return path, nil, nil
	}
	found.Content = terms
	return path, found, nil
}

// listAt returns a copy of the list at a path, an empty one where there is none.
func listAt(root *yaml.Node, path tree.Path) (*yaml.Node, error) {
	if _, err := tree.Reach(root, path); err != nil {
		return nil, err
	}
	found := tree.Lookup(root, path...)
	if tree.IsNull(found) {
		return tree.List(), nil
	}
	if found.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s is %s; the API wants a list", path, tree.Describe(found))
	}
	return yaml.NewRNode(found).Copy().YNode(), nil
}

// completeTerm leaves a term without any requirement alone. It matches no node at all (Kubernetes API: "a null or empty
// node selector term matches no objects"); adding to it would open it.
func completeTerm(term *yaml.Node, complete completer) ([]*yaml.Node, bool, error) {
	if tree.IsNull(term) {
		return []*yaml.Node{term}, false, nil
	}
	if term.Kind != yaml.MappingNode {
		return nil, false, fmt.Errorf("is %s; the API wants a mapping", tree.Describe(term))
	}
	expressions := tree.Lookup(term, "matchExpressions")
	if empty(expressions) && empty(tree.Lookup(term, "matchFields")) {
		return []*yaml.Node{term}, false, nil
	}
	if !tree.IsNull(expressions) && expressions.Kind != yaml.SequenceNode {
		return nil, false, fmt.Errorf("matchExpressions is %s; the API wants a list", tree.Describe(expressions))
	}
	return complete(term)
}

func empty(list *yaml.Node) bool { return tree.IsNull(list) || len(list.Content) == 0 }

// addExpression adds a requirement to a term.
func addExpression(term, expression *yaml.Node) error {
	if expressions := tree.Lookup(term, "matchExpressions"); !tree.IsNull(expressions) {
		if len(expressions.Content) == 0 {
			expressions.Style = 0
		}
		expressions.Content = append(expressions.Content, expression)
		return nil
	}
	return tree.Set(term, tree.Path{"matchExpressions"}, tree.List(expression))
}

// expressionOf finds the values of a term's requirement with a key and an operator, or nil.
func expressionOf(term *yaml.Node, key, operator string) *yaml.Node {
	expressions := tree.Lookup(term, "matchExpressions")
	if tree.IsNull(expressions) {
		return nil
	}
	for _, expression := range expressions.Content {
		k, o := tree.Lookup(expression, "key"), tree.Lookup(expression, "operator")
		if k == nil || o == nil || k.Value != key || o.Value != operator {
			continue
		}
		if values := tree.Lookup(expression, "values"); values != nil && values.Kind == yaml.SequenceNode {
			return values
		}
	}
	return nil
}

func expression(key, operator string, values ...string) *yaml.Node {
	list := tree.List()
	for _, value := range values {
		list.Content = append(list.Content, tree.Text(value))
	}
	return tree.Map("key", tree.Text(key), "operator", tree.Text(operator), "values", list)
}
