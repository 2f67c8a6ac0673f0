package toleration

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/klog/v2"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// entry is one toleration of a list as it stands in a render.
type entry struct {
	corev1.Toleration
	node *yaml.Node
	// unresolved says that a part still holds ${...}: nobody knows yet what it tolerates.
	unresolved bool
}

// fault is what is wrong with a list, at a node of it.
type fault struct {
	node    *yaml.Node
	message string
}

func (f *fault) Error() string { return f.message }

// readList reads a list of tolerations the way the API server would. A list that is missing or null is empty.
func readList(node *yaml.Node) ([]entry, error) {
	if tree.IsNull(node) {
		return nil, nil
	}
	if node.Kind != yaml.SequenceNode {
		return nil, &fault{node, fmt.Sprintf("tolerations is %s; the API wants a list", tree.Describe(node))}
	}
	entries := make([]entry, 0, len(node.Content))
	for i, item := range node.Content {
		e, err := readEntry(tree.Resolve(item))
		if err != nil {
			err.message = fmt.Sprintf("tolerations[%d]: %s", i, err.message)
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func readEntry(node *yaml.Node) (entry, *fault) {
	if node.Kind != yaml.MappingNode {
		return entry{}, &fault{node, fmt.Sprintf("is %s; the API wants a mapping with key, operator, value and effect", tree.Describe(node))}
	}
	e := entry{node: node}
	for _, field := range []struct {
		name string
		into *string
	}{{"key", &e.Key}, {"operator", (*string)(&e.Operator)}, {"value", &e.Value}, {"effect", (*string)(&e.Effect)}} {
		text, err := readString(tree.Lookup(node, field.name), field.name)
		if err != nil {
			return entry{}, err
		}
		*field.into = text
		e.unresolved = e.unresolved || strings.Contains(text, "${")
	}
	if err := e.readSeconds(tree.Lookup(node, "tolerationSeconds")); err != nil {
		return entry{}, err
	}
	return e, e.check()
}

// readString refuses what the API would refuse: a value that YAML reads as a boolean or a number. (The API server says
// "cannot unmarshal bool into Go struct field Toleration.value of type string", apecloud/kubeblocks#1443.)
func readString(node *yaml.Node, name string) (string, *fault) {
	if tree.IsNull(node) {
		return "", nil
	}
	if node.Kind != yaml.ScalarNode {
		return "", &fault{node, fmt.Sprintf("%s is %s; the API wants a string", name, tree.Describe(node))}
	}
	if node.ShortTag() != yaml.NodeTagString || node.Style == 0 && tree.Ambiguous(node.Value) {
		return "", &fault{node, fmt.Sprintf("%s: %s is not a string for the API server, which then refuses the object; write %s: %q", name, node.Value, name, node.Value)}
	}
	return node.Value, nil
}

func (e *entry) readSeconds(node *yaml.Node) *fault {
	if tree.IsNull(node) {
		return nil
	}
	if strings.Contains(node.Value, "${") {
		e.unresolved = true
		return nil
	}
	seconds, err := strconv.ParseInt(node.Value, 10, 64)
	if err != nil || node.ShortTag() != yaml.NodeTagInt {
		return &fault{node, fmt.Sprintf("tolerationSeconds is %s; the API wants a whole number of seconds, without quotes", tree.Describe(node))}
	}
	e.TolerationSeconds = &seconds
	return nil
}

// check holds an entry against the API's validation (kubernetes, pkg/apis/core/validation, ValidateTolerations).
func (e *entry) check() *fault {
	if e.unresolved {
		return nil
	}
	for _, rule := range []struct {
		broken  bool
		message string
	}{
		{!slices.Contains([]corev1.TolerationOperator{"", corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpLt, corev1.TolerationOpGt}, e.Operator),
			fmt.Sprintf("operator %q is none of Equal and Exists; operators are case-sensitive", e.Operator)},
		{!slices.Contains([]corev1.TaintEffect{"", corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute}, e.Effect),
			fmt.Sprintf("effect %q is none of NoSchedule, PreferNoSchedule and NoExecute; effects are case-sensitive", e.Effect)},
		{e.Key == "" && e.Operator != corev1.TolerationOpExists, "an entry without a key needs operator: Exists; the API refuses it otherwise"},
		{e.Key != "" && len(validation.IsQualifiedName(e.Key)) > 0, fmt.Sprintf("key %q is no qualified name, [prefix/]name; the API refuses it", e.Key)},
		{e.Operator == corev1.TolerationOpExists && e.Value != "", "operator: Exists takes no value; the API refuses one"},
		{len(validation.IsValidLabelValue(e.Value)) > 0, fmt.Sprintf("value %q is no label value; the API refuses it", e.Value)},
		{e.TolerationSeconds != nil && e.Effect != corev1.TaintEffectNoExecute, "tolerationSeconds needs effect: NoExecute; the API refuses it otherwise"},
	} {
		if rule.broken {
			return &fault{e.node, rule.message}
		}
	}
	return nil
}

// blanket says whether the entry tolerates taints whose key it does not name.
func (e *entry) blanket() bool { return !e.unresolved && e.Key == "" }

// tolerates says whether the entry matches a taint. The comparison operators are alpha and off by default (KEP-5471,
// Kubernetes 1.35 to 1.37): they match nothing.
func (e *entry) tolerates(t v1alpha1.Taint) bool {
	if e.unresolved {
		return false
	}
	taint := corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)}
	return e.ToleratesTaint(klog.Background(), &taint, false)
}

// names says whether the entry tolerates a taint by its own key, not by being a blanket one.
func (e *entry) names(t v1alpha1.Taint) bool { return e.Key == t.Key && e.tolerates(t) }

// entryFor makes the toleration of a taint. A taint without a value is tolerated whatever its value, as people write it.
func entryFor(t v1alpha1.Taint) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	add := func(key, value string) {
		node.Content = append(node.Content, tree.Text(key), tree.Text(value))
	}
	add("key", t.Key)
	if t.Value == "" {
		add("operator", string(corev1.TolerationOpExists))
	} else {
		add("operator", string(corev1.TolerationOpEqual))
		add("value", t.Value)
	}
	add("effect", string(t.Effect))
	return node
}
