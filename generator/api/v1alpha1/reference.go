package v1alpha1

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
)

// taintReference checks that a name is one of spec.taints.
func (v *validator) taintReference(path, name string, known []string) {
	if slices.Contains(known, name) || !v.origin.Trusted("spec.taints") {
		return
	}
	hint := "the names are " + strings.Join(known, ", ")
	if len(known) == 0 {
		hint = "spec.taints lists none"
	}
	if near := strict.Nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	if named := v.nameOf(name); named != "" {
		hint = "refer to it by its name, " + named
	}
	v.fail(path, "spec.taints has no taint named %q: %s", name, hint)
}

// nameOf helps who wrote a taint, or its key, where its name belongs.
func (v *validator) nameOf(text string) string {
	for _, named := range v.intent.Spec.Taints {
		if taint, err := named.Resolve(); err == nil && (text == taint.Key || text == taint.String() || text == named.Taint) {
			return named.Name
		}
	}
	return ""
}
