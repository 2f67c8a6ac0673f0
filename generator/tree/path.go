package tree

import (
	"fmt"
	"strconv"
	"strings"
)

// Path is a place in an object's tree: the keys of mappings and the indices of lists, outermost first.
type Path []string

// The steps of a pattern that stand for every item of a list and every value of a mapping.
const (
	eachItem  = "[]"
	eachValue = "{}"
)

// Parse reads a dotted path, such as spec.values.controllers[0].tolerations. A dot inside a key is written \. and
// an index stands in brackets behind its list. The notation of patterns is the same: [] stands for every item of a
// list, {} for every value of a mapping.
func Parse(s string) (Path, error) {
	var p Path
	for _, part := range splitDots(s) {
		key, rest := cutSuffixes(part)
		if key == "" {
			return nil, fmt.Errorf("path %q: a key is empty; write keys separated by single dots", s)
		}
		p = append(p, key)
		for _, suffix := range rest {
			if suffix != eachItem && suffix != eachValue {
				index := strings.Trim(suffix, "[]")
				if n, err := strconv.Atoi(index); err != nil || n < 0 {
					return nil, fmt.Errorf("path %q: %s is not the index of a list item", s, suffix)
				}
				suffix = index
			}
			p = append(p, suffix)
		}
	}
	return p, nil
}

// splitDots splits at the dots that no backslash stands before.
func splitDots(s string) []string {
	var parts []string
	var part strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '.':
			part.WriteByte('.')
			i++
		case s[i] == '.':
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteByte(s[i])
		}
	}
	return append(parts, part.String())
}

// cutSuffixes separates controllers[0]{} into its key and its brackets.
func cutSuffixes(part string) (key string, suffixes []string) {
	at := strings.IndexAny(part, "[{")
	if at < 0 {
		return part, nil
	}
	key, rest := part[:at], part[at:]
	for rest != "" {
		end := strings.IndexAny(rest, "]}") + 1
		if end == 0 {
			end = len(rest)
		}
		suffixes = append(suffixes, rest[:end])
		rest = rest[end:]
	}
	return key, suffixes
}

// String returns the dotted form. An index is written in brackets, which needs to know no tree: a key that is a number
// looks the same, and means the same to a reader.
func (p Path) String() string {
	var b strings.Builder
	for i, step := range p {
		switch {
		case step == eachItem || step == eachValue:
			b.WriteString(step)
		case i > 0 && isIndex(step):
			b.WriteString("[" + step + "]")
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(strings.ReplaceAll(step, ".", `\.`))
		}
	}
	return b.String()
}

func isIndex(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}

// Pointer returns the path as a JSON pointer (RFC 6901).
func (p Path) Pointer() string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, step := range p {
		b.WriteByte('/')
		b.WriteString(escape.Replace(step))
	}
	return b.String()
}

// Join returns the path with more steps behind it, sharing nothing with it.
func (p Path) Join(steps ...string) Path {
	out := make(Path, 0, len(p)+len(steps))
	return append(append(out, p...), steps...)
}

// Beside returns the path of another key in the mapping that holds the last step.
func (p Path) Beside(key string) Path {
	return p[:len(p)-1].Join(key)
}
