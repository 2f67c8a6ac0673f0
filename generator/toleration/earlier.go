package toleration

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// applyEarlier does to a pod's tree what the JSON6902 patches before ours do to the pod: those of another intent, say.
// A strategic merge patch is not followed; where it changes the place too, our test fails the build.
func (l *patchList) applyEarlier(pod v1alpha1.Pod, root *yaml.Node) {
	target := patchFor(pod, nil, "").Target
	ours, at := l.ours(target)
	for _, list := range l.lists() {
		for i, patch := range list.Content {
			if list == ours && i == at {
				return
			}
			if text := tree.Lookup(patch, "patch"); text != nil && targets(patch, target) {
				applyOperations(root, text.Value)
			}
		}
	}
}

func applyOperations(root *yaml.Node, text string) {
	var document yaml.Node
	if yaml.Unmarshal([]byte(text), &document) != nil || len(document.Content) == 0 || document.Content[0].Kind != yaml.SequenceNode {
		return
	}
	for _, operation := range document.Content[0].Content {
		op, at, value := tree.Lookup(operation, "op"), tree.Lookup(operation, "path"), tree.Lookup(operation, "value")
		if op != nil && at != nil && value != nil && slices.Contains([]string{"add", "replace"}, op.Value) {
			put(root, fromPointer(at.Value), value, op.Value == "add")
		}
	}
}

func put(root *yaml.Node, path tree.Path, value *yaml.Node, add bool) {
	if !follows(root, path) {
		return
	}
	if list := tree.Lookup(root, path[:len(path)-1]...); add && isList(list) {
		insert(list, path[len(path)-1], value)
		return
	}
	_ = tree.Set(root, path, value) // a place that cannot be set is none that matters here
}

// follows tells whether a place is about scheduling, which is all that is known of the pod.
func follows(root *yaml.Node, path tree.Path) bool {
	if !slices.Contains(path, "tolerations") && !slices.Contains(path, "affinity") {
		return false
	}
	return tree.Lookup(root, path[:len(path)-1]...) != nil
}

func insert(list *yaml.Node, step string, value *yaml.Node) {
	if at, err := strconv.Atoi(step); err == nil && at >= 0 && at < len(list.Content) {
		list.Content = slices.Insert(list.Content, at, value)
		return
	}
	list.Content = append(list.Content, value)
}

// fromPointer reads a JSON pointer (RFC 6901).
func fromPointer(pointer string) tree.Path {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i, part := range parts {
		parts[i] = unescape.Replace(part)
	}
	return parts
}
