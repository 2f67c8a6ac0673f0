package v1alpha1

import (
	"fmt"
	"strings"
)

// KindHelmRelease is the kind of helm-controller's object.
const KindHelmRelease = "HelmRelease"

// ParseValuesPath splits a path of helm.values into its keys. As in helm --set, a dot parts the keys and \. is a dot
// inside one. Lists have no place in a path: an entry's number means another entry after the next edit of the list.
func ParseValuesPath(path string) ([]string, error) {
	switch {
	case path == "":
		return nil, fmt.Errorf("values path is empty: write the keys below spec.values with dots, such as tolerations")
	case isUnresolved(path):
		return nil, fmt.Errorf("values path %q %s", path, unresolved)
	case path == "spec.values" || strings.HasPrefix(path, "spec.values.") || strings.HasPrefix(path, "."):
		return nil, fmt.Errorf("values path %q: the path begins below spec.values, so write only what follows it", path)
	case strings.Contains(path, "/") && !strings.Contains(path, "."):
		return nil, fmt.Errorf("values path %q: part the keys with dots, not slashes", path)
	case strings.ContainsAny(path, "[]*"):
		return nil, fmt.Errorf("values path %q: a path leads through maps only, it has no [n] and no *", path)
	case strings.ContainsAny(path, " \t\r\n,=:\"'"):
		return nil, fmt.Errorf("values path %q: write the keys with dots and nothing else, each path as an entry of its own", path)
	}
	keys := splitKeys(path)
	for _, key := range keys {
		if key == "" {
			return nil, fmt.Errorf("values path %q: a key between the dots is empty", path)
		}
	}
	return keys, nil
}

// splitKeys cuts at dots that no backslash precedes.
func splitKeys(path string) []string {
	keys := []string{""}
	for i := 0; i < len(path); i++ {
		last := len(keys) - 1
		switch {
		case path[i] == '\\' && i+1 < len(path) && path[i+1] == '.':
			keys[last] += "."
			i++
		case path[i] == '.':
			keys = append(keys, "")
		default:
			keys[last] += path[i : i+1]
		}
	}
	return keys
}
