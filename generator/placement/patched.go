package placement

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// patchedFields puts together what is known of a pod that something else renders: the tolerations that the intent says it
// has, and what JSON6902 patches in the object write over them.
func patchedFields(o *object, slot podspec.Slot) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	template, found := podspec.TemplateOf(slot.Pod.Kind)
	if !found {
		return out
	}
	before := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	for _, t := range slot.Pod.Tolerations {
		before.Content = append(before.Content, podToleration(t))
	}
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	spec := template.Tolerations[:len(template.Tolerations)-1]
	if err := tree.Set(root, spec, tree.Wrap(tree.Path{"tolerations"}, before)); err != nil {
		return out
	}
	if slot.Pod.Replace && len(slot.Pod.Tolerations) == 0 { // what it has is not known
		root = tree.Wrap(spec, &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap})
	}
	for _, patch := range patchesOf(o, slot) {
		if targets(patch, slot) {
			write(root, tree.Lookup(patch, "patch"))
		}
	}
	return schedulingFields(tree.Lookup(root, spec...))
}

// patchesOf lists the patches of a Flux Kustomization, an Application, or a HelmRelease's postRenderers, in their order.
func patchesOf(o *object, slot podspec.Slot) []*yaml.Node {
	list := tree.Lookup(o.tree, slot.Tolerations...)
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	if !slot.Renderers {
		return list.Content
	}
	var all []*yaml.Node
	for _, renderer := range list.Content {
		if patches := tree.Lookup(renderer, "kustomize", "patches"); patches != nil {
			all = append(all, patches.Content...)
		}
	}
	return all
}

// targets tells whether a patch is for the pod. kustomize anchors its patterns.
func targets(patch *yaml.Node, slot podspec.Slot) bool {
	for _, field := range [][2]string{{"kind", slot.Pod.Kind}, {"name", slot.Pod.Name}, {"namespace", slot.Pod.Namespace}} {
		pattern := tree.Lookup(patch, "target", field[0])
		if tree.IsNull(pattern) || field[1] == "" {
			continue
		}
		matched, err := regexp.MatchString("^(?:"+pattern.Value+")$", field[1])
		if err != nil || !matched {
			return false
		}
	}
	return tree.Lookup(patch, "target") != nil
}

// write carries out the operations of a patch that write whole values; others, and patches of another form, are passed
// over.
func write(root, text *yaml.Node) {
	if text == nil {
		return
	}
	document, err := podspec.Document([]byte(text.Value))
	if err != nil || document == nil || document.Content[0].Kind != yaml.SequenceNode {
		return
	}
	for _, operation := range document.Content[0].Content {
		op, at, value := tree.Lookup(operation, "op"), tree.Lookup(operation, "path"), tree.Lookup(operation, "value")
		if op == nil || at == nil || value == nil || !slices.Contains([]string{"add", "replace"}, op.Value) {
			continue
		}
		steps := strings.Split(strings.TrimPrefix(at.Value, "/"), "/")
		for i, step := range steps {
			steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		}
		if steps[len(steps)-1] == "-" {
			appendTo(tree.Lookup(root, steps[:len(steps)-1]...), value)
			continue
		}
		_ = tree.Set(root, steps, value) // a place that cannot be is one that kustomize would refuse
	}
}

func appendTo(list, value *yaml.Node) {
	if list != nil && list.Kind == yaml.SequenceNode {
		list.Content = append(list.Content, value)
	}
}

func podToleration(t v1alpha1.Toleration) *yaml.Node {
	node := tolerationNode(t.Key, corev1.TolerationOperator(t.Operator), t.Value, corev1.TaintEffect(t.Effect))
	if t.TolerationSeconds != nil {
		number := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: strconv.FormatInt(*t.TolerationSeconds, 10)}
		node.Content = append(node.Content, tree.Text("tolerationSeconds"), number)
	}
	return node
}
