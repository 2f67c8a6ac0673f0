package v1alpha1

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// usedRegexp is the tail that apimachinery puts behind each rule; the words before it say the same.
var usedRegexp = regexp.MustCompile(`, regex used for validation is '.*?'\)`)

// rule joins what one of apimachinery's validation functions returned.
func rule(errs []string) string {
	return usedRegexp.ReplaceAllString(strings.Join(errs, "; "), ")")
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
