package placement

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// source is where a slot's scheduling fields come from, and how much of the pods they show.
type source struct {
	fields *yaml.Node
	way    way
	// maker says who makes the pods of what is seen, and may add to it; empty when the pods are seen themselves.
	maker string
	// hidden says that a list of tolerations that is not there is the maker's own, and not empty.
	hidden bool
	// text is the string that the fields were read from, when their lines are not those of the file.
	text *yaml.Node
}

// The makers of pods that are not in the render.
const (
	chart     = "chart"
	operator  = "operator"
	serviceLB = "ServiceLB"
	patched   = "what renders it"
)

// sourceOf opens a slot.
func sourceOf(o *object, slot podspec.Slot) (source, *fault) {
	root, s := o.tree, source{way: wayOf(o), maker: operator}
	if slot.Text != nil {
		scalar, document, err := podspec.TextAt(o.tree, slot.Text)
		if err != nil {
			return s, &fault{node: tree.Lookup(o.tree, slot.Text...), message: err.Error()}
		}
		s.text, root = scalar, nil
		if document != nil {
			root = document.Content[0]
		}
	}
	switch {
	case isService(o):
		s.maker, s.way = serviceLB, daemon
		s.fields = tree.Wrap(tree.Path{"tolerations"}, serviceTolerations(root))
	case slot.Form == podspec.Line:
		s.maker, s.hidden = chart, true
		s.fields = lineFields(tree.Lookup(root, slot.Tolerations...))
	case slot.Form == podspec.Patch:
		s.maker, s.hidden, s.way = patched, slot.Pod.Replace && len(slot.Pod.Tolerations) == 0, wayOfKind(slot.Pod.Kind)
		s.fields, s.text = patchedFields(o, slot), tree.Lookup(o.tree, slot.Tolerations...)
	case slot.ChartDefaults:
		s.maker, s.hidden = chart, true
		s.fields = carrierFields(root, slot)
	case isPodSpec(o, root, slot):
		s.maker = ""
		s.fields = schedulingFields(tree.Lookup(root, slot.Tolerations[:len(slot.Tolerations)-1]...))
	default:
		s.fields = carrierFields(root, slot)
	}
	return s, nil
}

// isPodSpec tells whether the tolerations stand in a whole pod spec: always in Kubernetes' own kinds, and in those of
// others where the containers stand beside them.
func isPodSpec(o *object, root *yaml.Node, slot podspec.Slot) bool {
	if slices.Contains([]string{"", "apps", "batch"}, podspec.Group(o.APIVersion)) {
		return true
	}
	containers := tree.Lookup(root, slot.Tolerations.Beside("containers")...)
	return containers != nil && containers.Kind == yaml.SequenceNode && len(containers.Content) > 0
}

func wayOfKind(kind string) way {
	if kind == "DaemonSet" {
		return daemon
	}
	return scheduled
}

func isService(o *object) bool { return o.Kind == "Service" && o.APIVersion == "v1" }

// serviceLBTolerations are those that the svclb pods always have (k3s-io/k3s pkg/cloudprovider/servicelb.go).
var serviceLBTolerations = []corev1.Toleration{
	{Key: "node-role.kubernetes.io/master", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: "node-role.kubernetes.io/control-plane", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: "CriticalAddonsOnly", Operator: corev1.TolerationOpExists},
}

func serviceTolerations(list *yaml.Node) *yaml.Node {
	all := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	for _, t := range serviceLBTolerations {
		all.Content = append(all.Content, tolerationNode(t.Key, t.Operator, "", t.Effect))
	}
	if list != nil {
		if list.Kind != yaml.SequenceNode {
			return list // to be found at fault
		}
		all.Content = append(all.Content, list.Content...)
	}
	return all
}

func tolerationNode(key string, operator corev1.TolerationOperator, value string, effect corev1.TaintEffect) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	for _, field := range [][2]string{{"key", key}, {"operator", string(operator)}, {"value", value}, {"effect", string(effect)}} {
		if field[1] != "" {
			node.Content = append(node.Content, tree.Text(field[0]), tree.Text(field[1]))
		}
	}
	return node
}

// lineFields reads Longhorn's line, key=value:Effect;key:Effect, in which a key without a value tolerates any (longhorn.io
// docs, Kubernetes taint toleration).
func lineFields(line *yaml.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	if tree.IsNull(line) {
		return out
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	for _, part := range strings.FieldsFunc(line.Value, func(r rune) bool { return r == ';' }) {
		taint, effect, _ := strings.Cut(strings.TrimSpace(part), ":")
		key, value, valued := strings.Cut(taint, "=")
		operator := corev1.TolerationOpExists
		if valued {
			operator = corev1.TolerationOpEqual
		}
		list.Content = append(list.Content, tolerationNode(key, operator, value, corev1.TaintEffect(effect)))
	}
	put(out, "tolerations", list)
	return out
}

// note says that the pods themselves are not seen.
func (s source) note() (message, action string) {
	switch s.maker {
	case chart:
		return "only the values are seen: the chart may set a selector, an affinity or requests that are not in them",
			"render the chart and explain what comes out, where it matters"
	case operator:
		return "only what the object says of its pods is seen: its operator may add to it", ""
	case serviceLB:
		return "only where k3s's ServiceLB is in use and makes svclb pods for the Service; a node label may keep them away too", ""
	case patched:
		return "only what the intent and the patches say of the pods is seen", "build what is patched and explain what comes out, where it matters"
	}
	return "", ""
}

// hiddenList says in whose tolerations nobody can look.
func (s source) hiddenList() string {
	if s.maker == chart {
		return "the chart's default tolerations"
	}
	return fmt.Sprintf("the tolerations that %s gives it", s.maker)
}
