package k3s

import (
	"fmt"
	"strings"
)

// argText is how k3s turns one YAML value into the text of a flag (rancher/wrangler's convert.ToString): of a list only
// the first element counts, null is empty, everything else is printed as Go prints it, and the result is trimmed.
func argText(value any) string {
	if list, ok := value.([]any); ok {
		if len(list) == 0 {
			return ""
		}
		value = list[0]
	}
	if value == nil {
		return ""
	}
	return strings.TrimSpace(fmt.Sprint(value))
}

// asList is how k3s prepares either side of an append: a string and a list stay what they are, anything else becomes
// its text, and an empty text nothing. So "" is kept as an element and null is not.
func asList(value any) []any {
	switch v := value.(type) {
	case string:
		return []any{v}
	case []any:
		return v
	}
	if text := argText(value); text != "" {
		return []any{text}
	}
	return nil
}
