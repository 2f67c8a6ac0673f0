package flux

import (
	"cmp"
	"slices"
	"strings"
)

// Entrypoint is a folder that Flux is pointed at.
type Entrypoint struct {
	// Name is the folder's own name, with as much of its path as it takes to be unique.
	Name string `json:"name"`
	Path string `json:"path"`
	// Why says what speaks for it.
	Why string `json:"why"`
}

// named gives each entrypoint the shortest name that is its own.
func named(found map[string]string) []Entrypoint {
	all := make([]Entrypoint, 0, len(found))
	for p, why := range found {
		all = append(all, Entrypoint{Path: p, Why: why})
	}
	slices.SortFunc(all, func(a, b Entrypoint) int { return cmp.Compare(a.Path, b.Path) })
	for i := range all {
		steps := strings.Split(all[i].Path, "/")
		for n := 1; n <= len(steps); n++ {
			all[i].Name = strings.Join(steps[len(steps)-n:], "/")
			if unique(all, i) {
				break
			}
		}
	}
	return all
}

func unique(all []Entrypoint, i int) bool {
	for j := range all {
		if j != i && (all[j].Path == all[i].Name || strings.HasSuffix(all[j].Path, "/"+all[i].Name)) {
			return false
		}
	}
	return true
}
