package placement

import (
	"strconv"
	"strings"
)

// unresolved tells whether a value still waits for Flux to substitute a variable.
func unresolved(s string) bool { return strings.Contains(s, "${") }

func itoa(i int) string { return strconv.Itoa(i) }
