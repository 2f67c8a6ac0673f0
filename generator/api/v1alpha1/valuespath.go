package v1alpha1

import (
	"fmt"
	"regexp"
	"strings"
)

// valuesPath is what helm --set takes on its left side: keys with dots between them, \. for a dot inside a key, and [n]
// for an entry of a list.
var valuesPath = regexp.MustCompile(`^` + valuesKey + `(\.` + valuesKey + `)*$`)

const valuesKey = `([-_/A-Za-z0-9]|\\\.)+(\[[0-9]+\])*`

// checkValuesPath checks a path of helm.values.
func checkValuesPath(path string) error {
	switch {
	case path == "":
		return fmt.Errorf("values path is empty: write the keys below the values with dots, such as tolerations")
	case isUnresolved(path):
		return fmt.Errorf("values path %q %s", path, unresolved)
	case path == "spec.values" || strings.HasPrefix(path, "spec.values.") || strings.HasPrefix(path, "."):
		return fmt.Errorf("values path %q: the path begins below the values, so write only what follows them", path)
	case strings.HasPrefix(path, "/"):
		return fmt.Errorf("values path %q: part the keys with dots, not slashes", path)
	case strings.ContainsAny(path, "*{}") || strings.Contains(path, "[]"):
		return fmt.Errorf("values path %q: a path leads to one list, so write it out for each", path)
	case strings.ContainsAny(path, " \t\r\n,"):
		return fmt.Errorf("values path %q: write each path as an entry of its own, without spaces", path)
	case !valuesPath.MatchString(path):
		return fmt.Errorf(`values path %q: write keys with single dots between them, as in speaker.tolerations, and \. for a dot inside a key`, path)
	}
	return nil
}

// objectPath is a path in an object, which may be a pattern: [] stands for each item of a list, {} for each value of a map.
var objectPath = regexp.MustCompile(`^` + objectKey + `(\.` + objectKey + `)*$`)

const objectKey = `([-_/A-Za-z0-9]|\\\.)+(\[[0-9]*\]|\{\})*`

// checkObjectPath checks a path of paths.
func checkObjectPath(path string) error {
	switch {
	case path == "":
		return fmt.Errorf("path is empty: write the keys with dots, such as spec.worker.tolerations")
	case isUnresolved(path):
		return fmt.Errorf("path %q %s", path, unresolved)
	case strings.HasPrefix(path, "/"):
		return fmt.Errorf("path %q: part the keys with dots, not slashes", path)
	case strings.Contains(path, "*"):
		return fmt.Errorf("path %q: [] stands for each item of a list, {} for each value of a map", path)
	case strings.ContainsAny(path, " \t\r\n,"):
		return fmt.Errorf("path %q: write each path as an entry of its own, without spaces", path)
	case !objectPath.MatchString(path):
		return fmt.Errorf(`path %q: write keys with single dots between them, as in spec.worker.tolerations, and \. for a dot inside a key`, path)
	}
	return nil
}
