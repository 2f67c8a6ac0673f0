package v1alpha1

import "strings"

// unresolved says why a ${VAR} is refused where something has to match.
const unresolved = "holds a ${...}: Flux substitutes variables after the build, when Berth is done, so it could never match; write the value out"

// isUnresolved tells whether a value still waits for Flux to substitute a variable.
func isUnresolved(s string) bool { return strings.Contains(s, "${") }
