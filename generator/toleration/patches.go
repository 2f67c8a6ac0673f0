package toleration

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/fluxcd/pkg/apis/kustomize"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	jsonyaml "sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// patchList is the list of patches of an object, or the list of a HelmRelease's postRenderers, each with such a list.
type patchList struct {
	mark      string
	renderers bool
	path      tree.Path
	list      *yaml.Node // a copy of what stands there, an empty list where nothing does
}

// markOf begins the patches that Berth makes for an intent, by which they are known again.
func markOf(intent string) string { return "# Written by berth: intent " + intent + "\n" }

func readPatches(root *yaml.Node, slot podspec.Slot, intent string) (*patchList, error) {
	list, err := listAt(root, slot.Tolerations)
	if err != nil {
		return nil, err
	}
	return &patchList{mark: markOf(intent), renderers: slot.Renderers, path: slot.Tolerations, list: list}, nil
}

// lists are the lists of patches, in the order in which they are applied.
func (l *patchList) lists() []*yaml.Node {
	if !l.renderers {
		return []*yaml.Node{l.list}
	}
	var all []*yaml.Node
	for _, renderer := range l.list.Content {
		if patches := tree.Lookup(renderer, "kustomize", "patches"); patches != nil && patches.Kind == yaml.SequenceNode {
			all = append(all, patches)
		}
	}
	return all
}

// patchFor makes a patch in the form that Flux and Argo CD share with kustomize.
func patchFor(pod v1alpha1.Pod, operations []*yaml.Node, intent string) kustomize.Patch {
	var text bytes.Buffer
	text.WriteString(markOf(intent))
	enc := yaml.NewEncoderWithOptions(&text, &yaml.EncoderOptions{SeqIndent: yaml.CompactSequenceStyle})
	if err := enc.Encode(tree.List(operations...)); err != nil {
		panic("toleration: a tree that was made here does not encode: " + err.Error())
	}
	target := &kustomize.Selector{Kind: pod.Kind, Name: regexp.QuoteMeta(pod.Name)}
	if pod.Namespace != "" { // what has no namespace yet counts as being in default
		target.Namespace = regexp.QuoteMeta(pod.Namespace) + "|default"
	}
	return kustomize.Patch{Patch: text.String(), Target: target}
}

// with returns the list with our patch in it: in the place of the one that an earlier run left, or behind all others.
func (l *patchList) with(patch kustomize.Patch) (*yaml.Node, bool, error) {
	node, err := encodePatch(patch)
	if err != nil {
		return nil, false, err
	}
	if list, i := l.ours(patch.Target); list != nil {
		if tree.Lookup(list.Content[i], "patch").Value == patch.Patch {
			return nil, false, nil
		}
		list.Content[i] = node
		return l.list, true, nil
	}
	list := l.list
	if l.renderers {
		list = l.ownRenderer()
	}
	if len(list.Content) == 0 {
		list.Style = 0
	}
	list.Content = append(list.Content, node)
	return l.list, true, nil
}

func encodePatch(patch kustomize.Patch) (*yaml.Node, error) {
	text, err := jsonyaml.Marshal(patch)
	if err != nil {
		return nil, fmt.Errorf("patch: %w", err)
	}
	node, err := yaml.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("patch: %w", err)
	}
	return node.YNode(), nil
}

// ours finds the patch that an earlier run of the same intent left for the same target.
func (l *patchList) ours(target *kustomize.Selector) (*yaml.Node, int) {
	for _, list := range l.lists() {
		for i, patch := range list.Content {
			text := tree.Lookup(patch, "patch")
			if text != nil && strings.HasPrefix(text.Value, l.mark) && targets(patch, target) {
				return list, i
			}
		}
	}
	return nil, 0
}

// targets tells whether a patch is for one pod, the same whether its name is written as a pattern or plainly.
func targets(patch *yaml.Node, target *kustomize.Selector) bool {
	field := func(name string) string {
		if node := tree.Lookup(patch, "target", name); node != nil {
			return node.Value
		}
		return ""
	}
	plain := strings.ReplaceAll(target.Name, `\`, "")
	sameName := field("name") == target.Name || field("name") == plain
	namespace, _, _ := strings.Cut(target.Namespace, "|")
	theirs, _, _ := strings.Cut(field("namespace"), "|")
	return field("kind") == target.Kind && sameName && (theirs == "" || namespace == "" || theirs == namespace)
}

// ownRenderer is a postRenderer behind all others, so that it sees what they made, and none of them is touched.
func (l *patchList) ownRenderer() *yaml.Node {
	if lists := l.lists(); len(lists) > 0 {
		last := lists[len(lists)-1]
		if n := len(last.Content); n > 0 && len(l.list.Content) > 0 && tree.Lookup(l.list.Content[len(l.list.Content)-1], "kustomize", "patches") == last {
			if text := tree.Lookup(last.Content[n-1], "patch"); text != nil && strings.HasPrefix(text.Value, "# Written by berth: ") {
				return last
			}
		}
	}
	patches := tree.List()
	if len(l.list.Content) == 0 {
		l.list.Style = 0
	}
	l.list.Content = append(l.list.Content, tree.Map("kustomize", tree.Map("patches", patches)))
	return patches
}
