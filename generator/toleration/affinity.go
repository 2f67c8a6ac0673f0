package toleration

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// excluding completes the node selector terms below a node affinity so that they exclude nodes by their host names. The
// kubelet sets the label to the node's name as it registers it; k3s passes that name as the host name too.
func excluding(root *yaml.Node, affinity tree.Path, nodes []string) (tree.Path, *yaml.Node, error) {
	notIn := string(corev1.NodeSelectorOpNotIn)
	complete := func(term *yaml.Node) ([]*yaml.Node, bool, error) {
		if values := expressionOf(term, corev1.LabelHostname, notIn); values != nil {
			return []*yaml.Node{term}, addMissing(values, nodes), nil
		}
		return []*yaml.Node{term}, true, addExpression(term, expression(corev1.LabelHostname, notIn, nodes...))
	}
	return completeTerms(root, affinity, complete, tree.Map("matchExpressions", tree.List(expression(corev1.LabelHostname, notIn, nodes...))))
}

func addMissing(values *yaml.Node, nodes []string) bool {
	before := len(values.Content)
	for _, node := range nodes {
		if !holds(values, node) {
			values.Content = append(values.Content, tree.Text(node))
		}
	}
	return len(values.Content) > before
}

func holds(values *yaml.Node, value string) bool {
	return slices.ContainsFunc(values.Content, func(v *yaml.Node) bool { return v.Value == value })
}
