package strict

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// entry is one key of a mapping with its value.
type entry struct {
	name, path string
	key, value *yaml.Node
}

// entries lists a mapping's keys, each once, and indexes where they stand. A block's own position is that of its first
// child, so for lists and maps the key is the better place to point at.
func (d *decoder) entries(path string, node *yaml.Node) []entry {
	var all []entry
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str" {
			d.fail(path, key, wantKey(key))
			continue
		}
		e := entry{name: key.Value, path: Child(path, key.Value), key: key, value: value}
		if earlier, twice := first[e.name]; twice {
			d.fail(e.path, key, d.givenTwice(earlier))
			continue
		}
		first[e.name] = key
		at := value
		if value.Kind != yaml.ScalarNode {
			at = key
		}
		d.index.add(e.path, at)
		all = append(all, e)
	}
	return all
}

func (d *decoder) givenTwice(earlier *yaml.Node) string {
	where := ""
	if line := d.index.source.Position(earlier).Line; line > 0 {
		where = fmt.Sprintf(" on line %d", line)
	}
	return "the key was given before" + where + ": YAML readers differ in which of the two they keep, so remove one"
}

func wantKey(key *yaml.Node) string {
	if key.Kind != yaml.ScalarNode {
		return "a key must be plain text, this one is " + describe(key)
	}
	return fmt.Sprintf("the key %s is %s: quote it as %q", key.Value, describe(key), key.Value)
}
