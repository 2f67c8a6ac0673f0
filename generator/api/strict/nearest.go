package strict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the known word that was probably meant, or nothing when none is near. Case, dashes and underscores
// count for nothing, and up to a third of the letters may be wrong.
func Nearest(word string, known []string) string {
	best, bestDistance := "", -1
	for _, candidate := range known {
		distance := between(plain(word), plain(candidate))
		if distance > max(1, len(candidate)/3) {
			continue
		}
		if bestDistance < 0 || distance < bestDistance {
			best, bestDistance = candidate, distance
		}
	}
	return best
}

// between counts the edits between two words. Swapped letters, the commonest slip, count once.
func between(a, b string) int {
	if a != b && letters(a) == letters(b) {
		return 1
	}
	return levenshtein.ComputeDistance(a, b)
}

func letters(word string) string {
	runes := []rune(word)
	slices.Sort(runes)
	return string(runes)
}

func plain(word string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(word))
}

func quote(s string) string { return strconv.Quote(s) }
