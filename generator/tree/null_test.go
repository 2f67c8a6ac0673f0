package tree

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestNullsInFlowStyleStayNulls(t *testing.T) {
	for in, want := range map[string]string{
		"a:\nb: 1\n":         "a:\nb: 1\n",
		"x: {a: , b: 1}\n":   "x: {a: null, b: 1}\n",
		"x: {a}\n":           "x: {a: null}\n",
		"x: [a, {b: }]\n":    "x: [a, {b: null}]\n",
		"x: {a: ''}\n":       "x: {a: ''}\n",
		"x: {a: ~}\n":        "x: {a: ~}\n",
		"- \n- {a: {b: }}\n": "-\n- {a: {b: null}}\n",
		"?\n: b\n":           "null: b\n",
	} {
		node := yaml.MustParse(in)
		SpellNulls(node.YNode())
		if got := node.MustString(); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
