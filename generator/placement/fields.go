package placement

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// The fields of a pod spec that bear on where its pods go, and those that a chart or another kind may share with it.
var (
	podFields     = []string{"hostNetwork", "nodeName", "nodeSelector", "overhead", "resources", "runtimeClassName", "schedulerName", "schedulingGates", "tolerations"}
	carrierFields = []string{"nodeSelector", "tolerations"}
)

// schedulingFields copies the fields of a pod spec that bear on its place, so that nothing else has to be valid. The
// nodes below are those of the original tree and know their lines. A carrier that is no pod spec, such as the values of
// a chart, keeps the few fields that mean the same everywhere.
func schedulingFields(spec *yaml.Node, whole bool) *yaml.Node {
	if spec == nil || spec.Kind != yaml.MappingNode {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	}
	if !whole {
		out := pick(spec, carrierFields...)
		put(out, "affinity", pick(tree.Lookup(spec, "affinity"), "nodeAffinity"))
		return out
	}
	out := pick(spec, podFields...)
	put(out, "affinity", pick(tree.Lookup(spec, "affinity"), "nodeAffinity"))
	for _, list := range []string{"containers", "initContainers"} {
		put(out, list, each(tree.Lookup(spec, list), "name", "resources", "restartPolicy"))
	}
	put(out, "volumes", each(tree.Lookup(spec, "volumes"), "name", "persistentVolumeClaim"))
	return out
}

// pick returns a mapping with some keys of another; what is no mapping is returned as it is, to be found at fault later.
func pick(node *yaml.Node, keys ...string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return node
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Line: node.Line}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if slices.Contains(keys, node.Content[i].Value) && !tree.IsNull(tree.Resolve(node.Content[i+1])) {
			out.Content = append(out.Content, node.Content[i], node.Content[i+1])
		}
	}
	return out
}

func each(list *yaml.Node, keys ...string) *yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode {
		return list
	}
	out := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Line: list.Line}
	for _, item := range list.Content {
		out.Content = append(out.Content, pick(tree.Resolve(item), keys...))
	}
	return out
}

func put(node *yaml.Node, key string, value *yaml.Node) {
	if value == nil || tree.IsNull(value) || value.Kind != yaml.ScalarNode && len(value.Content) == 0 {
		return
	}
	node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: key}, value)
}

// shape writes a tree so that two trees that mean the same to Kubernetes and are written alike have one shape.
func shape(out *strings.Builder, node *yaml.Node) {
	node = tree.Resolve(node)
	switch {
	case node == nil:
		return
	case node.Kind == yaml.ScalarNode:
		quoted := node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
		out.WriteString(map[bool]string{true: `"`, false: " "}[quoted] + itoa(len(node.Value)) + ":" + node.Value)
	case node.Kind == yaml.SequenceNode:
		writeAll(out, "[", node.Content, "]")
	default:
		writeAll(out, "{", node.Content, "}")
	}
}

func writeAll(out *strings.Builder, open string, nodes []*yaml.Node, end string) {
	out.WriteString(open)
	for _, node := range nodes {
		shape(out, node)
	}
	out.WriteString(end)
}
