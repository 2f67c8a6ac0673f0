package strict

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// wantMap is empty when the node is a map, and otherwise says what it is instead, and which fields the map has.
func wantMap(node *yaml.Node, names []string) string {
	switch {
	case node.Kind == yaml.MappingNode && node.ShortTag() == "!!map":
		return ""
	case isNull(node):
		return "has no value: give it fields, or remove the line"
	default:
		message := "a map of fields belongs here, this is " + describe(node)
		if len(names) > 0 {
			message += ": its fields are " + strings.Join(names, ", ")
		}
		return message
	}
}

// wantList is empty when the node is a list, and otherwise says what it is instead and how to write the list.
func wantList(node *yaml.Node, element reflect.Type) string {
	switch {
	case node.Kind == yaml.SequenceNode && node.ShortTag() == "!!seq":
		return ""
	case isNull(node):
		return "has no value: write its entries, [] for none, or remove the line"
	case node.Kind == yaml.MappingNode:
		return `a list belongs here, this is a map: begin each entry with "- "`
	case node.Kind == yaml.ScalarNode && element.Kind() == reflect.String:
		return fmt.Sprintf("a list belongs here, this is %s: write [%s]", describe(node), node.Value)
	default:
		return "a list belongs here, this is " + describe(node)
	}
}

// wantString is empty when the node is text, and otherwise says what it is instead.
func wantString(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "text belongs here, this is a map: text with a colon and a space in it must be quoted"
	case node.Kind != yaml.ScalarNode:
		return "text belongs here, this is " + describe(node)
	case node.ShortTag() == "!!str":
		return ""
	case node.Value == "":
		return "has no value: give it one, or remove the line"
	case node.Style&yaml.TaggedStyle != 0:
		return "text belongs here, this is " + describe(node)
	default:
		return fmt.Sprintf("text belongs here, and YAML reads %s as %s: quote it, %s",
			node.Value, describe(node), strconv.Quote(node.Value))
	}
}

func isNull(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null"
}

var scalarNames = map[string]string{
	"!!str":       "text",
	"!!bool":      "a boolean",
	"!!int":       "a number",
	"!!float":     "a number",
	"!!null":      "null",
	"!!timestamp": "a date",
	"!!map":       "a map",
	"!!seq":       "a list",
}

// describe names what a node is, in a person's words.
func describe(node *yaml.Node) string {
	if name, known := scalarNames[node.ShortTag()]; known {
		return name
	}
	return "a value with the tag " + node.ShortTag()
}
