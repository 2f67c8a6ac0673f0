package strict

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Index says where each field of a decoded document stood, by its path. A nil Index knows no positions.
type Index struct {
	source Source
	at     map[string]Position
	// faults are the paths at which decoding failed; unknown those of fields that do not exist.
	faults, unknown []string
}

func newIndex(source Source) *Index {
	return &Index{source: source, at: map[string]Position{}}
}

// Position returns where the field stood; for a field that was not written, where the nearest enclosing one did.
func (x *Index) Position(path string) Position {
	if x == nil {
		return Position{}
	}
	for ; path != ""; path = parent(path) {
		if pos, found := x.at[path]; found {
			return pos
		}
	}
	return x.at[""]
}

// Has tells whether the field was written.
func (x *Index) Has(path string) bool {
	if x == nil {
		return false
	}
	_, found := x.at[path]
	return found
}

// Trusted tells whether what was decoded at a path can be judged by itself: nothing failed at the path, above or below it, and
// when the field was not written, no field beside it, or one level from there, may have been meant for it.
func (x *Index) Trusted(path string) bool {
	if x == nil {
		return true
	}
	for _, fault := range x.faults {
		if inside(fault, path) || inside(path, fault) {
			return false
		}
	}
	return x.Has(path) || !slices.ContainsFunc(x.unknown, func(fault string) bool {
		place, around := parent(path), parent(parent(path))
		return parent(fault) == place || parent(fault) == around || parent(parent(fault)) == place
	})
}

// inside tells whether a path is another one or leads below it.
func inside(path, above string) bool {
	rest, ok := strings.CutPrefix(path, above)
	return ok && (above == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Problem is a fault at a field.
func (x *Index) Problem(path, format string, args ...any) Problem {
	return x.Position(path).problem(path, fmt.Sprintf(format, args...))
}

// Where points at a second place within a message: "on line N", or "at PATH" when lines mean nothing.
func (x *Index) Where(path string) string {
	if pos := x.Position(path); pos.Line > 0 {
		return fmt.Sprintf("on line %d", pos.Line)
	}
	return "at " + path
}

func (x *Index) add(path string, node *yaml.Node) {
	x.at[path] = x.source.Position(node)
}

// Child is the path of a field below another: a.b, or a[b/c] where the name is no plain word, as the API server prints it.
func Child(path, name string) string {
	if name == "" || strings.ContainsAny(name, "./[] ") {
		return path + "[" + name + "]"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// Item is the path of a list's entry.
func Item(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// parent cuts the last field off a path.
func parent(path string) string {
	if strings.HasSuffix(path, "]") {
		return path[:max(0, strings.LastIndex(path, "["))]
	}
	return path[:max(0, strings.LastIndex(path, "."))]
}
