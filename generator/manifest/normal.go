package manifest

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Normalize puts a tree into the one form. It moves keys and comments and changes styles; it changes no value, and no
// order in which a list stands.
func Normalize(node *yaml.Node) {
	comments(node)
	switch node.Kind {
	case yaml.MappingNode:
		if len(node.Content) > 0 {
			node.Style &^= yaml.FlowStyle
		}
		sortKeys(node)
	case yaml.SequenceNode:
		if len(node.Content) > 0 {
			node.Style &^= yaml.FlowStyle
		}
	case yaml.ScalarNode:
		boolean(node)
	}
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 0 {
			comments(child)
			continue
		}
		Normalize(child)
		if node.Kind == yaml.MappingNode {
			liftComments(child, node.Content[i-1])
		}
	}
}

// sortKeys orders a mapping as Kubernetes's own examples do. The order comes from kyaml; keys that it does not know
// follow by the alphabet, as do those of maps whose keys people choose. What an object begins with comes first.
func sortKeys(node *yaml.Node) {
	type pair struct{ key, value *yaml.Node }
	pairs := make([]pair, 0, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		pairs = append(pairs, pair{node.Content[i], node.Content[i+1]})
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(rank(a.key.Value), rank(b.key.Value)), cmp.Compare(a.key.Value, b.key.Value))
	})
	for i, p := range pairs {
		node.Content[2*i], node.Content[2*i+1] = p.key, p.value
	}
}

// first is what kyaml's order has further behind, or not at all, and people read first.
var first = map[string]int{"apiVersion": -3, "kind": -2, "metadata": -1, "key": 0, "operator": 0, "path": 0}

func rank(key string) int {
	if at, found := first[key]; found {
		return at
	}
	if at, found := yaml.FieldOrder[key]; found {
		return at
	}
	return len(yaml.FieldOrder) + 1
}

// boolean writes true and false for the further spellings that YAML 1.1 reads as booleans, when they are not quoted.
func boolean(node *yaml.Node) {
	if node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) != 0 {
		return
	}
	switch strings.ToLower(node.Value) {
	case "yes", "on", "true":
		node.Value = "true"
	case "no", "off", "false":
		node.Value = "false"
	default:
		return
	}
	node.Tag = yaml.NodeTagBool
}

// comments puts a comment at the end of a line before it, and a space behind each #.
func comments(node *yaml.Node) {
	if node.LineComment != "" {
		node.HeadComment = strings.TrimPrefix(node.HeadComment+"\n"+node.LineComment, "\n")
		node.LineComment = ""
	}
	node.HeadComment, node.FootComment = spaced(node.HeadComment), spaced(node.FootComment)
}

// liftComments moves the comment of a value to its key, where it begins a line.
func liftComments(value, key *yaml.Node) {
	if value.HeadComment == "" || value.Kind != yaml.ScalarNode {
		return
	}
	key.HeadComment = strings.TrimPrefix(key.HeadComment+"\n"+value.HeadComment, "\n")
	value.HeadComment = ""
}

// spaced puts a space behind each # of a comment, on all of its lines when one lacks it, so that what is commented out
// stays aligned.
func spaced(comment string) string {
	if comment == "" {
		return ""
	}
	var lines []string
	space := ""
	for line := range strings.Lines(comment) {
		text := strings.TrimRight(strings.TrimLeft(strings.TrimSpace(line), "#"), " \t")
		if text != "" && !strings.HasPrefix(text, " ") {
			space = " "
		}
		if strings.TrimSpace(line) != "" {
			lines = append(lines, text)
		}
	}
	for i, text := range lines {
		if lines[i] = "#"; text != "" {
			lines[i] = "#" + space + text
		}
	}
	return strings.Join(lines, "\n")
}
