package placement

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// unresolved tells whether a value still waits for Flux to substitute a variable.
func unresolved(s string) bool { return strings.Contains(s, "${") }

// unresolvedToleration tells whether a part of a toleration does.
func unresolvedToleration(t corev1.Toleration) bool {
	return unresolved(t.Key) || unresolved(t.Value) || unresolved(string(t.Effect)) || unresolved(string(t.Operator))
}

func itoa(i int) string { return strconv.Itoa(i) }
