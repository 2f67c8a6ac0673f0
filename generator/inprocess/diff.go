package inprocess

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// compare says what a function did to a stream of objects: patches for those that it changed, and those that it added.
// A function that loses or moves an object is an error.
func compare(before, after []byte) (patches *yaml.Node, added []byte, err error) {
	old, err := stream.ReadDocuments("", before)
	if err != nil {
		return nil, nil, err
	}
	all, err := stream.ReadDocuments("", after)
	if err != nil {
		return nil, nil, err
	}
	patches = tree.List()
	for i, was := range old {
		if i >= len(all) || all[i].ID() != was.ID() || all[i].APIVersion != was.APIVersion {
			return nil, nil, fmt.Errorf("%s did not come back from the function", was.ID())
		}
		operations, err := changes(was, all[i])
		if err != nil {
			return nil, nil, err
		}
		if len(operations) > 0 {
			patches.Content = append(patches.Content, patchOf(was, operations))
		}
	}
	var out strings.Builder
	for _, i := range all[len(old):] {
		node, err := i.Node()
		if err != nil {
			return nil, nil, err
		}
		text, err := stream.Encode(node, nil)
		if err != nil {
			return nil, nil, err
		}
		out.WriteString("---\n" + string(text))
	}
	return patches, []byte(out.String()), nil
}

func changes(was, is *item) ([]*yaml.Node, error) {
	before, err := was.Node()
	if err != nil {
		return nil, err
	}
	after, err := is.Node()
	if err != nil {
		return nil, err
	}
	return diff(nil, before.YNode(), after.YNode()), nil
}

func patchOf(i *item, operations []*yaml.Node) *yaml.Node {
	text, err := yaml.String(tree.List(operations...))
	if err != nil {
		panic("inprocess: a tree that was made here does not encode: " + err.Error())
	}
	group, version, grouped := strings.Cut(i.APIVersion, "/")
	if !grouped {
		group, version = "", group
	}
	target := tree.Map("version", tree.Text(version), "kind", tree.Text(i.Kind), "name", tree.Text(regexp.QuoteMeta(i.Name)))
	if group != "" {
		set(target, "group", tree.Text(regexp.QuoteMeta(group)))
	}
	if i.Namespace != "" {
		set(target, "namespace", tree.Text(regexp.QuoteMeta(i.Namespace)))
	}
	patch := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: text}
	return tree.Map("target", target, "patch", patch)
}

// diff returns the JSON6902 operations that make one tree of another, as deep down as they can be: what stands beside a
// change may be changed by the levels above, as names are.
func diff(at tree.Path, before, after *yaml.Node) []*yaml.Node {
	before, after = tree.Resolve(before), tree.Resolve(after)
	switch {
	case before.Kind == yaml.MappingNode && after.Kind == yaml.MappingNode:
		return diffMaps(at, before, after)
	case before.Kind == yaml.SequenceNode && after.Kind == yaml.SequenceNode && len(before.Content) == len(after.Content):
		var all []*yaml.Node
		for i := range before.Content {
			all = append(all, diff(at.Join(strconv.Itoa(i)), before.Content[i], after.Content[i])...)
		}
		return all
	case before.Kind == yaml.ScalarNode && after.Kind == yaml.ScalarNode && before.Value == after.Value && before.ShortTag() == after.ShortTag():
		return nil
	}
	return []*yaml.Node{operation("replace", at, after)}
}

func diffMaps(at tree.Path, before, after *yaml.Node) []*yaml.Node {
	var all []*yaml.Node
	for i := 0; i+1 < len(before.Content); i += 2 {
		key := before.Content[i].Value
		if now := tree.Lookup(after, key); now == nil {
			all = append(all, operation("remove", at.Join(key), nil))
		} else {
			all = append(all, diff(at.Join(key), before.Content[i+1], now)...)
		}
	}
	for i := 0; i+1 < len(after.Content); i += 2 {
		if key := after.Content[i].Value; tree.Lookup(before, key) == nil {
			all = append(all, operation("add", at.Join(key), after.Content[i+1]))
		}
	}
	return all
}

// operation writes text of several lines before the path: kustomize cuts white space off the end of a patch.
func operation(op string, at tree.Path, value *yaml.Node) *yaml.Node {
	path := tree.Text(at.Pointer())
	if value == nil {
		return tree.Map("op", tree.Text(op), "path", path)
	}
	return tree.Map("op", tree.Text(op), "value", value, "path", path)
}
