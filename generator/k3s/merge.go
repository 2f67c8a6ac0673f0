package k3s

import (
	"strings"

	"github.com/berth-dev/berth/generator/finding"
)

// item is one element of a value that k3s has collected for a flag, with the place it came from.
type item struct {
	raw any
	src finding.Source
}

// collected is what k3s holds for one flag while it reads the files. A scalar has exactly one item.
type collected struct {
	list  bool
	items []item
}

// replacement is a plain key that threw away what earlier places had collected.
type replacement struct {
	key  string
	by   finding.Source
	lost []item
}

// merged is the result of reading the files in order.
type merged struct {
	order    []string // keys in order of first sight
	values   map[string]collected
	replaced []replacement
}

// add applies one entry: a plain key replaces, key+ appends where something stands, both as a list.
func (m *merged) add(file string, e entry) {
	if m.values == nil {
		m.values = map[string]collected{}
	}
	old, seen := m.values[e.key]
	if !seen {
		m.order = append(m.order, e.key)
	}
	if seen && e.appends {
		m.values[e.key] = collected{list: true, items: append(toItems(old), entryItems(file, e)...)}
		return
	}
	if seen && len(old.items) > 0 {
		m.replaced = append(m.replaced, replacement{key: e.key, by: at(file, e.line), lost: old.items})
	}
	if list, ok := e.value.([]any); ok {
		m.values[e.key] = collected{list: true, items: itemsOf(file, e, list)}
		return
	}
	m.values[e.key] = collected{items: []item{{e.value, at(file, e.line)}}}
}

// flags returns the values k3s passes for a key, one per --key=value argument.
func (m *merged) flags(key string) []Value {
	collected := m.values[key]
	values := make([]Value, 0, len(collected.items))
	for _, it := range collected.items {
		values = append(values, Value{Text: argText(it.raw), Source: it.src, raw: it.raw})
	}
	return values
}

// last returns the value that wins for a flag that is no list, and whether there is one.
func (m *merged) last(key string) (Value, bool) {
	values := m.flags(key)
	if len(values) == 0 {
		return Value{}, false
	}
	return values[len(values)-1], true
}

// toItems turns what was collected into a list, by the rule of asList.
func toItems(c collected) []item {
	if c.list {
		return append([]item(nil), c.items...)
	}
	var items []item
	for _, it := range c.items {
		for _, raw := range asList(it.raw) {
			items = append(items, item{raw, it.src})
		}
	}
	return items
}

func entryItems(file string, e entry) []item { return itemsOf(file, e, asList(e.value)) }

func itemsOf(file string, e entry, list []any) []item {
	items := make([]item, len(list))
	for i, raw := range list {
		items[i] = item{raw, at(file, e.lineOf(i))}
	}
	return items
}

// Value is one value of a flag, from a file or from a command line.
type Value struct {
	// Text is what k3s sees.
	Text string
	finding.Source
	// raw is the YAML value of a value from a file.
	raw any
	// unknown is set when the text holds something that only the running machine knows, such as $TAINT.
	unknown bool
}

// hasVariable reports whether a text holds a reference that k3s would take literally.
func hasVariable(text string) bool { return strings.Contains(text, "$") }
