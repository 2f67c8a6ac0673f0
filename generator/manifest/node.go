package manifest

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// Node turns an object of the Kubernetes API into a tree in the one form. What only a cluster fills in (status, and
// timestamps that are null) is left out.
func Node(object any) (*yaml.RNode, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", object, err)
	}
	var plain map[string]any
	if err := json.Unmarshal(data, &plain); err != nil {
		return nil, fmt.Errorf("encode %T: %w", object, err)
	}
	delete(plain, "status")
	if spec, ok := plain["spec"].(map[string]any); ok && len(spec) == 0 {
		delete(plain, "spec")
	}
	node, err := yaml.FromMap(dropNull(plain))
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", object, err)
	}
	Normalize(node.YNode())
	quote(node.YNode())
	return node, nil
}

// dropNull leaves out fields that are null, which a typed object writes for a time that was never set.
func dropNull(m map[string]any) map[string]any {
	for key, value := range m {
		switch value := value.(type) {
		case nil:
			delete(m, key)
		case map[string]any:
			dropNull(value)
		}
	}
	return m
}

// quote writes strings as package tree does, so that YAML 1.1 reads them as such.
func quote(node *yaml.Node) {
	if node.Kind == yaml.ScalarNode && node.ShortTag() == yaml.NodeTagString {
		if style := tree.Text(node.Value).Style; style != 0 {
			node.Style = style
		}
	}
	for _, child := range node.Content {
		quote(child)
	}
}
