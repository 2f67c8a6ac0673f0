package strict

import (
	"reflect"
	"slices"
	"strings"
)

// field is one json field of a struct.
type field struct {
	name  string
	index []int
	typ   reflect.Type
}

// fields are the json fields of a struct, those of inline structs included.
type fields []field

func fieldsOf(t reflect.Type) fields {
	var all fields
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous && (name == "" || strings.Contains(options, "inline")):
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				all = append(all, inner)
			}
		default:
			all = append(all, field{name: name, index: []int{i}, typ: f.Type})
		}
	}
	return all
}

func (fs fields) find(name string) (field, bool) {
	i := slices.IndexFunc(fs, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return fs[i], true
}

func (fs fields) names() []string {
	names := make([]string, len(fs))
	for i, f := range fs {
		names[i] = f.name
	}
	return names
}

// unknown says that a struct has no such field, and where the field was probably meant to stand.
func (fs fields) unknown(name string, enclosing fields) string {
	message := "unknown field " + quote(name)
	if _, above := enclosing.find(name); above {
		return message + ": it belongs one level up"
	}
	for _, f := range fs {
		if _, below := structFields(f.typ).find(name); below {
			return message + ": it belongs below " + f.name
		}
	}
	if near := Nearest(name, fs.names()); near != "" {
		return message + ": did you mean " + near + "?"
	}
	return message + ": the fields here are " + strings.Join(fs.names(), ", ")
}

// structFields are the fields of a struct or of what a pointer points to; other types have none.
func structFields(t reflect.Type) fields {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return fieldsOf(t)
}
