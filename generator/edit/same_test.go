package edit

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestTwoTreesMeanTheSameWhateverTheirForm(t *testing.T) {
	const base = "a: {x: 1, y: [1, 2]} # one\nb: text\n"
	for name, c := range map[string]struct {
		other string
		same  bool
	}{
		"another order and style": {"b: 'text'\na:\n  y:\n  - 1\n  - 2\n  x: 1\n", true},
		"an alias":                {"a: &a {x: 1, y: [1, 2]}\nb: text\n", true},
		"another value":           {"a: {x: 2, y: [1, 2]}\nb: text\n", false},
		"text for a number":       {"a: {x: \"1\", y: [1, 2]}\nb: text\n", false},
		"another order of a list": {"a: {x: 1, y: [2, 1]}\nb: text\n", false},
		"another key":             {"a: {x: 1, z: [1, 2]}\nb: text\n", false},
		"a key more":              {"a: {x: 1, y: [1, 2]}\nb: text\nc: d\n", false},
		"a list for a map":        {"a: [x, 1, y, [1, 2]]\nb: text\n", false},
	} {
		a, b := yaml.MustParse(base).YNode(), yaml.MustParse(c.other).YNode()
		if Same(a, b) != c.same || Same(b, a) != c.same {
			t.Errorf("%s: %t", name, !c.same)
		}
	}
}
