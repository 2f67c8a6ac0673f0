package strict

import (
	"fmt"
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v3"
)

func (d *decoder) scalar(path string, node *yaml.Node, out reflect.Value) {
	var message string
	switch out.Kind() {
	case reflect.String:
		want := wantString
		if out.Type() == reflect.TypeFor[Date]() {
			want = wantDate
		}
		if message = want(node); message == "" {
			out.SetString(node.Value)
		}
	case reflect.Bool:
		message = setBool(node, out)
	case reflect.Int, reflect.Int32, reflect.Int64:
		message = setInt(node, out)
	default:
		panic(fmt.Sprintf("strict: %s has the type %s, which Decode does not support", path, out.Type()))
	}
	if message != "" {
		d.fail(path, node, message)
	}
}

// setBool takes true and false alone: YAML 1.1 has eleven more spellings, and readers differ in which they know.
func setBool(node *yaml.Node, out reflect.Value) string {
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!bool" {
		return "true or false belongs here, without quotes, this is " + describe(node)
	}
	value, err := strconv.ParseBool(node.Value)
	if err != nil {
		return "true or false belongs here, this is " + node.Value
	}
	out.SetBool(value)
	return ""
}

// setInt takes plain decimal numbers: what 010 means depends on the reader's version of YAML.
func setInt(node *yaml.Node, out reflect.Value) string {
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!int" && node.ShortTag() != "!!float" {
		return "a whole number belongs here, without quotes, this is " + describe(node)
	}
	value, err := strconv.ParseInt(node.Value, 10, out.Type().Bits())
	if err != nil || strconv.FormatInt(value, 10) != node.Value {
		return "a whole number in decimal digits belongs here, this is " + node.Value
	}
	out.SetInt(value)
	return ""
}
