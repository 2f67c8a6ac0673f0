package placement

import (
	"bytes"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// decoded is a pod spec as Kubernetes types, and what could not be read yet.
type decoded struct {
	corev1.PodSpec
	// open are the fields, or places in them, that hold a ${...} where it cannot be read as what it will become.
	open []string
}

// isOpen says whether an entry of the tolerations was nothing but a ${...}.
func (d decoded) isOpen(t corev1.Toleration) bool {
	return t == (corev1.Toleration{}) && slices.Contains(d.open, "tolerations")
}

// decode reads scheduling fields as the API server would: YAML 1.1 turned into JSON, case-sensitively.
func decode(fields *yaml.Node) (decoded, *fault) {
	fields = yaml.NewRNode(fields).Copy().YNode()
	var d decoded
	if err := d.cutQuantities(fields); err != nil {
		return d, err
	}
	for {
		d.PodSpec = corev1.PodSpec{}
		err := decodeInto(fields, &d.PodSpec)
		if err == nil {
			return d, nil
		}
		// A ${...} may stand for a number, a list, a mapping: what it stands for is open, and the rest can be read.
		wrong := typeFault(fields, err)
		if wrong.node == nil || wrong.node.Kind != yaml.ScalarNode || !unresolved(wrong.node.Value) {
			return d, wrong
		}
		d.open = append(d.open, wrong.path)
		*wrong.node = yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
	}
}

func decodeInto(node *yaml.Node, into any) error {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	if err := encoder.Encode(node); err != nil {
		return err
	}
	data, err := sigsyaml.YAMLToJSON(text.Bytes())
	if err != nil {
		return err
	}
	return json.UnmarshalCaseSensitivePreserveInts(data, into)
}

// cutQuantities takes quantities out that are not known yet, and finds those that are none: their decoder does not say
// where they stand.
func (d *decoded) cutQuantities(fields *yaml.Node) *fault {
	places := []*yaml.Node{tree.Lookup(fields, "resources")}
	for _, list := range []string{"containers", "initContainers"} {
		if node := tree.Lookup(fields, list); node != nil && node.Kind == yaml.SequenceNode {
			for _, container := range node.Content {
				places = append(places, tree.Lookup(container, "resources"))
			}
		}
	}
	for _, place := range places {
		for _, kind := range []string{"requests", "limits"} {
			if err := d.cutIn(tree.Lookup(place, kind), "resources."+kind); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *decoded) cutIn(list *yaml.Node, path string) *fault {
	if list == nil || list.Kind != yaml.MappingNode {
		return nil
	}
	kept := make([]*yaml.Node, 0, len(list.Content))
	for i := 0; i+1 < len(list.Content); i += 2 {
		name, value := list.Content[i], tree.Resolve(list.Content[i+1])
		at := path + "." + name.Value
		if unresolved(name.Value) || value.Kind == yaml.ScalarNode && unresolved(value.Value) {
			d.open = append(d.open, at)
			continue
		}
		if _, err := resource.ParseQuantity(value.Value); err != nil {
			return &fault{node: value, path: at, message: at + " is " + tree.Describe(value) + "; the API server wants a quantity, such as 1 or 500m"}
		}
		kept = append(kept, name, list.Content[i+1])
	}
	list.Content = kept
	return nil
}
