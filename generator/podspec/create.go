package podspec

import (
	"slices"

	"github.com/berth-dev/berth/generator/tree"
)

// shells are keys that hold nothing but how and where pods run. Making one that is missing changes nothing else; making
// any other key, such as spec.proxy.pgBouncer, may switch a feature on.
var shells = []string{"affinity", "nodePlacement", "placement", "pod", "podTemplate", "preparePlacement", "scheduling", "spec", "template"}

// creatable tells whether a place may be written: it is there, or only shells on the way to it are missing.
func creatable(at func(tree.Path) bool, path tree.Path) bool {
	for end := len(path) - 1; end > 0; end-- {
		if at(path[:end]) {
			return true
		}
		if !slices.Contains(shells, path[end-1]) {
			return false
		}
	}
	return true
}
