package toleration

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// excluding returns the place of the node selector terms below an affinity, and the terms completed so that they
// exclude the nodes; nil terms when they do already. What stands there is kept: the terms are alternatives, so that
// each one has to exclude the nodes for itself.
func excluding(root *yaml.Node, affinity tree.Path, nodes []string) (tree.Path, *yaml.Node, error) {
	path := affinity.Join("nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
	if _, err := tree.Reach(root, path); err != nil {
		return nil, nil, err
	}
	found := tree.Lookup(root, path...)
	if tree.IsNull(found) {
		found = &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	}
	if found.Kind != yaml.SequenceNode {
		return nil, nil, fmt.Errorf("%s is %s; the API wants a list", path, tree.Describe(found))
	}
	terms := yaml.NewRNode(found).Copy().YNode()
	if len(terms.Content) == 0 {
		terms.Style = 0
		terms.Content = []*yaml.Node{tree.Map("matchExpressions", tree.List(notIn(nodes)))}
		return path, terms, nil
	}
	changed := false
	for i, term := range terms.Content {
		did, err := excludeIn(term, nodes)
		if err != nil {
			return nil, nil, fmt.Errorf("%s[%d]: %w", path, i, err)
		}
		changed = changed || did
	}
	if !changed {
		return path, nil, nil
	}
	return path, terms, nil
}

// excludeIn completes one term and says whether it had to. A term without any requirement matches no node at all
// (Kubernetes API: "a null or empty node selector term matches no objects"); adding to it would open it.
func excludeIn(term *yaml.Node, nodes []string) (bool, error) {
	if tree.IsNull(term) {
		return false, nil
	}
	if term.Kind != yaml.MappingNode {
		return false, fmt.Errorf("is %s; the API wants a mapping", tree.Describe(term))
	}
	expressions := tree.Lookup(term, "matchExpressions")
	if empty(expressions) && empty(tree.Lookup(term, "matchFields")) {
		return false, nil
	}
	if tree.IsNull(expressions) {
		return true, tree.Set(term, tree.Path{"matchExpressions"}, tree.List(notIn(nodes)))
	}
	if expressions.Kind != yaml.SequenceNode {
		return false, fmt.Errorf("matchExpressions is %s; the API wants a list", tree.Describe(expressions))
	}
	for _, expression := range expressions.Content {
		if values := excludedHosts(expression); values != nil {
			return addMissing(values, nodes), nil
		}
	}
	expressions.Content = append(expressions.Content, notIn(nodes))
	return true, nil
}

func empty(list *yaml.Node) bool { return tree.IsNull(list) || len(list.Content) == 0 }

// excludedHosts returns the values of an expression that excludes nodes by their host name, or nil.
func excludedHosts(expression *yaml.Node) *yaml.Node {
	key, operator := tree.Lookup(expression, "key"), tree.Lookup(expression, "operator")
	if key == nil || operator == nil || key.Value != corev1.LabelHostname || operator.Value != string(corev1.NodeSelectorOpNotIn) {
		return nil
	}
	if values := tree.Lookup(expression, "values"); values != nil && values.Kind == yaml.SequenceNode {
		return values
	}
	return nil
}

func addMissing(values *yaml.Node, nodes []string) bool {
	before := len(values.Content)
	for _, node := range nodes {
		if !slices.ContainsFunc(values.Content, func(v *yaml.Node) bool { return v.Value == node }) {
			values.Content = append(values.Content, tree.Text(node))
		}
	}
	return len(values.Content) > before
}

// notIn makes the expression that excludes nodes. The kubelet sets the label to the node's name as it registers it;
// k3s passes that name as the host name too.
func notIn(nodes []string) *yaml.Node {
	values := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	addMissing(values, nodes)
	return tree.Map("key", tree.Text(corev1.LabelHostname),
		"operator", tree.Text(string(corev1.NodeSelectorOpNotIn)), "values", values)
}
