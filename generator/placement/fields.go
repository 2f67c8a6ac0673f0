package placement

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// podFields are the fields of a pod spec that bear on where its pods go; the affinity, the containers and the volumes
// come beside them.
var podFields = []string{"hostNetwork", "nodeName", "nodeSelector", "os", "overhead", "resources", "runtimeClassName", "schedulerName", "schedulingGates", "tolerations"}

// schedulingFields copies the fields of a pod spec that bear on its place, so that nothing else has to be valid. The
// nodes below are those of the original tree and know their lines.
func schedulingFields(spec *yaml.Node) *yaml.Node {
	if spec == nil || spec.Kind != yaml.MappingNode {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	}
	out := pick(spec, podFields...)
	put(out, "affinity", affinityFields(tree.Lookup(spec, "affinity")))
	put(out, "topologySpreadConstraints", each(tree.Lookup(spec, "topologySpreadConstraints"), "whenUnsatisfiable"))
	for _, list := range []string{"containers", "initContainers"} {
		put(out, list, each(tree.Lookup(spec, list), "name", "resources", "restartPolicy"))
	}
	put(out, "volumes", each(tree.Lookup(spec, "volumes"), "name", "persistentVolumeClaim"))
	return out
}

// affinityFields copies the node affinity, and of the affinity between pods no more than that there is one.
func affinityFields(affinity *yaml.Node) *yaml.Node {
	if affinity == nil || affinity.Kind != yaml.MappingNode {
		return affinity
	}
	out := pick(affinity, "nodeAffinity")
	for _, kind := range []string{"podAffinity", "podAntiAffinity"} {
		const required = "requiredDuringSchedulingIgnoredDuringExecution"
		if terms := tree.Lookup(affinity, kind, required); terms != nil && len(terms.Content) > 0 {
			put(out, kind, tree.Map(required, each(terms, "topologyKey")))
		}
	}
	return out
}

// carrierFields copies what a carrier that is no pod spec, such as the values of a chart, says of its pods: the places are
// those that the slot knows, and what stands elsewhere is not looked for.
func carrierFields(root *yaml.Node, slot podspec.Slot) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	put(out, "tolerations", tree.Lookup(root, slot.Tolerations...))
	if n := len(slot.Tolerations); n > 0 && slot.Tolerations[n-1] == "tolerations" {
		putSelector(out, tree.Lookup(root, slot.Tolerations.Beside("nodeSelector")...))
	}
	if slot.NodeAffinity != nil && tree.Lookup(out, "affinity") == nil {
		if affinity := tree.Lookup(root, slot.NodeAffinity...); affinity != nil {
			put(out, "affinity", tree.Wrap(tree.Path{"nodeAffinity"}, affinity))
		}
	}
	return out
}

// putSelector adds a nodeSelector. Some kinds, such as system-upgrade-controller's Plan, have a label selector there: it
// means what a term of a required node affinity means.
func putSelector(out, selector *yaml.Node) {
	labels, expressions := tree.Lookup(selector, "matchLabels"), tree.Lookup(selector, "matchExpressions")
	if labels == nil && expressions == nil {
		put(out, "nodeSelector", selector)
		return
	}
	all := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	if expressions != nil {
		all.Content = append(all.Content, expressions.Content...)
	}
	for i := 0; labels != nil && i+1 < len(labels.Content); i += 2 {
		all.Content = append(all.Content, tree.Map("key", labels.Content[i], "operator", tree.Text("In"), "values", tree.List(labels.Content[i+1])))
	}
	required := tree.Map("nodeSelectorTerms", tree.List(tree.Map("matchExpressions", all)))
	put(out, "affinity", tree.Wrap(tree.Path{"nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"}, required))
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
	if tree.IsNull(value) {
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
