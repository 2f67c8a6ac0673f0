package k3s

import (
	"regexp"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	yamlv2 "gopkg.in/yaml.v2"
)

// entry is one top-level key of a configuration file, in the order of the file. A key may occur twice.
type entry struct {
	key      string // without +
	appends  bool   // the key ended in +
	value    any    // as gopkg.in/yaml.v2 decodes it
	line     int
	itemLine []int // of each element, when value is a list and the lines are known
}

// lineOf returns the line of element i of the value, or of the key where that is not known.
func (e entry) lineOf(i int) int {
	if i < len(e.itemLine) {
		return e.itemLine[i]
	}
	return e.line
}

// parseError is why k3s does not get past a file.
type parseError struct {
	line    int
	message string
}

func (e *parseError) Error() string { return e.message }

// parseFile decodes the first document of a file, as k3s does, and adds the lines.
func parseFile(content []byte) ([]entry, *parseError) {
	var data yamlv2.MapSlice
	root := lines(content)
	if err := yamlv2.Unmarshal(content, &data); err != nil {
		return nil, newParseError(err, root)
	}
	entries := make([]entry, 0, len(data))
	for _, item := range data {
		name := argText(item.Key)
		key := strings.TrimSuffix(name, "+")
		entries = append(entries, entry{key: key, appends: key != name, value: item.Value})
	}
	addLines(entries, root)
	return entries, nil
}

// lines returns the root node of the first document, or nil where yaml.v3 reads the file differently.
func lines(content []byte) *yamlv3.Node {
	var doc yamlv3.Node
	if err := yamlv3.Unmarshal(content, &doc); err != nil || len(doc.Content) == 0 {
		return nil
	}
	return doc.Content[0]
}

func addLines(entries []entry, root *yamlv3.Node) {
	if root == nil {
		return
	}
	if root.Kind == yamlv3.SequenceNode && len(root.Content) == len(entries) {
		for i, node := range root.Content {
			entries[i].line = node.Line
		}
		return
	}
	var pairs [][2]*yamlv3.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Tag != "!!merge" { // yaml.v2 drops what a top-level << brings
			pairs = append(pairs, [2]*yamlv3.Node{root.Content[i], root.Content[i+1]})
		}
	}
	if len(pairs) != len(entries) {
		return
	}
	for i, pair := range pairs {
		entries[i].line = pair[0].Line
		entries[i].itemLine = itemLines(pair[1])
	}
}

func itemLines(value *yamlv3.Node) []int {
	if value.Kind == yamlv3.AliasNode {
		value = value.Alias
	}
	if value.Kind != yamlv3.SequenceNode {
		return nil
	}
	lines := make([]int, len(value.Content))
	for i, item := range value.Content {
		lines[i] = item.Line
	}
	return lines
}

var yamlLine = regexp.MustCompile(`line (\d+): `)

// newParseError takes the line out of a message of yaml.v2.
func newParseError(err error, root *yamlv3.Node) *parseError {
	if root != nil && root.Kind != yamlv3.MappingNode {
		return &parseError{root.Line, "the file does not hold a map of flag names"}
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	message = strings.TrimPrefix(message, "unmarshal errors:\n  ")
	message, _, _ = strings.Cut(message, "\n")
	e := &parseError{line: 1, message: "the file does not parse: " + message}
	if m := yamlLine.FindStringSubmatchIndex(message); m != nil {
		e.line, _ = strconv.Atoi(message[m[2]:m[3]])
		e.message = "the file does not parse: " + message[:m[0]] + message[m[1]:]
	}
	return e
}
