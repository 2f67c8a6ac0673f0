package tree

import (
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Text makes a string, quoted where YAML 1.1 (which Kubernetes reads) would take it for something else.
func Text(s string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s}
	if Ambiguous(s) {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}

// Ambiguous says whether YAML 1.1, which Kubernetes reads, takes an unquoted text for something else than a string. Most
// texts need no parser to know: a word of more than five letters is none of true, false, null, yes, no, on and off.
func Ambiguous(s string) bool {
	if len(s) > len("false") && (s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z') && !strings.ContainsAny(s, ": #") {
		return false
	}
	return yaml.IsValueNonString(s)
}

// List makes a list.
func List(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: items}
}

// Map makes a mapping: a key and its value, and further keys (strings) and values (nodes) in turn.
func Map(key string, value *yaml.Node, more ...any) *yaml.Node {
	node := Wrap(Path{key}, value)
	for i := 0; i+1 < len(more); i += 2 {
		setKey(node, more[i].(string), more[i+1].(*yaml.Node))
	}
	return node
}

// Remove takes a key or an item of a list out of its parent, and tells whether it was there.
func Remove(root *yaml.Node, path Path) bool {
	if len(path) == 0 {
		return false
	}
	parent, step := Lookup(root, path[:len(path)-1]...), path[len(path)-1]
	if child(parent, step) == nil {
		return false
	}
	width := 1
	if parent.Kind == yaml.MappingNode {
		width = 2
	}
	at := indexOf(parent, step)
	parent.Content = append(parent.Content[:at:at], parent.Content[at+width:]...)
	return true
}

// indexOf is where a child begins in its parent's content, in which it is.
func indexOf(parent *yaml.Node, step string) int {
	if parent.Kind == yaml.SequenceNode {
		i, _ := strconv.Atoi(step) // child found an item at it
		return i
	}
	at := 0
	for parent.Content[at].Value != step {
		at += 2
	}
	return at
}
