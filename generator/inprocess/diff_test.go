package inprocess

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

func TestADifferenceIsSaidAsDeepDownAsItCanBe(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing":           {"{a: {b: [1, c]}}", "{a: {b: [1, c]}}", "[]\n"},
		"the order of keys": {"{a: 1, b: 2}", "{b: 2, a: 1}", "[]\n"},
		"a style":           {"{a: 'x'}", `{a: "x"}`, "[]\n"},
		"a type":            {"{a: '1'}", "{a: 1}", "- op: replace\n  value: 1\n  path: /a\n"},
		"a key more":        {"{a: {}}", "{a: {b/c: {d: 1}}}", "- op: add\n  value: {d: 1}\n  path: /a/b~1c\n"},
		"a key less":        {"{a: {b: 1, c: 2}}", "{a: {c: 2}}", "- op: remove\n  path: /a/b\n"},
		"an item of a list": {"{a: [x, {b: 1}]}", "{a: [x, {b: 2}]}", "- op: replace\n  value: 2\n  path: /a/1/b\n"},
		"a longer list":     {"{a: [x]}", "{a: [x, z]}", "- op: replace\n  value: [x, z]\n  path: /a\n"},
		"another shape":     {"{a: [x]}", "{a: {b: 1}}", "- op: replace\n  value: {b: 1}\n  path: /a\n"},
	} {
		got, err := yaml.String(tree.List(diff(nil, yaml.MustParse(c.before).YNode(), yaml.MustParse(c.after).YNode())...))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
