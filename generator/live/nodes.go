package live

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/stream"
)

// Nodes reads the Node objects of a cluster as items of a render, the way `kubectl get nodes -o yaml` prints them. It needs
// the right to list nodes and no other.
func (c *Cluster) Nodes(ctx context.Context) ([]*stream.Item, error) {
	s, err := c.read(ctx, Scope{readNodes})
	if err != nil {
		return nil, err
	}
	items := make([]*stream.Item, 0, len(s.Nodes))
	for i := range s.Nodes {
		item, err := nodeItem(&s.Nodes[i])
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", s.Nodes[i].Name, err)
		}
		items = append(items, item)
	}
	return items, nil
}

func nodeItem(node *corev1.Node) (*stream.Item, error) {
	node.APIVersion, node.Kind = "v1", "Node"
	text, err := sigsyaml.Marshal(node)
	if err != nil {
		return nil, err
	}
	tree, err := yaml.Parse(string(text))
	if err != nil {
		return nil, err
	}
	return stream.New(tree), nil
}
