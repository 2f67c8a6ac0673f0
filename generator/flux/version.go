package flux

import (
	"fmt"
	"strconv"
	"strings"
)

// Rules are what differs between versions of Flux.
type Rules struct {
	// Strict refuses an undefined variable: the gate StrictPostBuildSubstitutions, on since Flux 2.9
	// (fluxcd/kustomize-controller#1671).
	Strict bool
	// Strategy says that spec.postBuild.substituteStrategy is known: since Flux 2.9 (fluxcd/kustomize-controller#1672).
	Strategy bool
}

// RulesOf returns the rules of a version of Flux, written 2.9, v2.9 or v2.9.1. The empty string is the newest version.
func RulesOf(version string) (Rules, error) {
	if version == "" {
		return Rules{Strict: true, Strategy: true}, nil
	}
	parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
	numbers := make([]int, len(parts))
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return Rules{}, fmt.Errorf("flux version %q: write it like 2.9 or v2.9.1", version)
		}
		numbers[i] = n
	}
	if len(numbers) < 2 || len(numbers) > 3 || numbers[0] != 2 {
		return Rules{}, fmt.Errorf("flux version %q: only versions 2.x are known; write it like 2.9 or v2.9.1", version)
	}
	since29 := numbers[1] >= 9
	return Rules{Strict: since29, Strategy: since29}, nil
}
