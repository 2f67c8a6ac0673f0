package strict

import (
	"errors"
	"reflect"

	"go.yaml.in/yaml/v3"
)

// Decode fills out, a pointer to a struct, from a YAML node by the struct's json tags. Fields that the node leaves out
// keep their value. The error is a Problems, sorted by position; the Index is returned with or without one.
//
// Strings, booleans, integers, structs, pointers, slices and maps with string keys are supported, and structs that are
// embedded inline. Another type in the struct is a mistake in the program, and panics.
func Decode(source Source, node *yaml.Node, out any) (*Index, error) {
	d := &decoder{index: newIndex(source)}
	target := reflect.ValueOf(out)
	if target.Kind() != reflect.Pointer || target.Elem().Kind() != reflect.Struct {
		panic("strict: Decode fills a pointer to a struct")
	}
	root := rootOf(node)
	if root == nil {
		d.index.faults = append(d.index.faults, "")
		return d.index, Problems{{File: source.File, Message: "the document is empty"}}
	}
	d.index.add("", root)
	d.refuseReferences("", root)
	if len(d.problems) > 0 {
		d.index.faults = append(d.index.faults, "") // nothing was decoded
	} else {
		d.value("", root, target.Elem())
	}
	return d.index, d.problems.Err()
}

// AsProblems returns the problems inside an error of this package.
func AsProblems(err error) Problems {
	var problems Problems
	errors.As(err, &problems)
	return problems
}

type decoder struct {
	index    *Index
	problems Problems
	// enclosing holds the fields of the structs around the value at hand, the outermost first.
	enclosing []fields
}

// fail records a fault at a node.
func (d *decoder) fail(path string, at *yaml.Node, message string) {
	d.problems = append(d.problems, d.index.source.Position(at).problem(path, message))
	d.index.faults = append(d.index.faults, path)
}

func (d *decoder) value(path string, node *yaml.Node, out reflect.Value) {
	switch out.Kind() {
	case reflect.Struct:
		d.object(path, node, out)
	case reflect.Map:
		d.dictionary(path, node, out)
	case reflect.Slice:
		d.list(path, node, out)
	case reflect.Pointer:
		fresh := reflect.New(out.Type().Elem())
		d.value(path, node, fresh.Elem())
		out.Set(fresh)
	default:
		d.scalar(path, node, out)
	}
}

func (d *decoder) list(path string, node *yaml.Node, out reflect.Value) {
	if message := wantList(node, out.Type().Elem()); message != "" {
		d.fail(path, node, message)
		return
	}
	items := reflect.MakeSlice(out.Type(), len(node.Content), len(node.Content))
	for i, item := range node.Content {
		at := Item(path, i)
		d.index.add(at, item)
		d.value(at, item, items.Index(i))
	}
	out.Set(items)
}

func (d *decoder) dictionary(path string, node *yaml.Node, out reflect.Value) {
	if message := wantMap(node, nil); message != "" {
		d.fail(path, node, message)
		return
	}
	all := reflect.MakeMapWithSize(out.Type(), len(node.Content)/2)
	for _, entry := range d.entries(path, node) {
		value := reflect.New(out.Type().Elem()).Elem()
		d.value(entry.path, entry.value, value)
		all.SetMapIndex(reflect.ValueOf(entry.name).Convert(out.Type().Key()), value)
	}
	out.Set(all)
}

func (d *decoder) object(path string, node *yaml.Node, out reflect.Value) {
	fields, around := fieldsOf(out.Type()), d.above()
	if message := wantMap(node, fields.names()); message != "" {
		d.fail(path, node, message)
		return
	}
	d.enclosing = append(d.enclosing, fields)
	defer func() { d.enclosing = d.enclosing[:len(d.enclosing)-1] }()
	for _, entry := range d.entries(path, node) {
		field, known := fields.find(entry.name)
		if !known {
			d.fail(entry.path, entry.key, fields.unknown(entry.name, around))
			d.index.unknown = append(d.index.unknown, entry.path)
			continue
		}
		d.value(entry.path, entry.value, out.FieldByIndex(field.index))
	}
}

// above is the struct around the value at hand, if there is one.
func (d *decoder) above() fields {
	if len(d.enclosing) == 0 {
		return nil
	}
	return d.enclosing[len(d.enclosing)-1]
}
