package tree

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestADottedPathReadsAsItsSteps(t *testing.T) {
	cases := map[string]struct {
		want    Path
		pointer string
	}{
		"spec.template":              {Path{"spec", "template"}, "/spec/template"},
		`a.b\.c/d.e`:                 {Path{"a", "b.c/d", "e"}, "/a/b.c~1d/e"},
		"list[0].x":                  {Path{"list", "0", "x"}, "/list/0/x"},
		"list[].x{}.y":               {Path{"list", "[]", "x", "{}", "y"}, "/list/[]/x/{}/y"},
		"tilde~key":                  {Path{"tilde~key"}, "/tilde~0key"},
		"prometheus-node-exporter.x": {Path{"prometheus-node-exporter", "x"}, "/prometheus-node-exporter/x"},
	}
	for text, c := range cases {
		t.Run(text, func(t *testing.T) {
			got, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if got.Pointer() != c.pointer {
				t.Errorf("pointer %s, want %s", got.Pointer(), c.pointer)
			}
			if got.String() != text {
				t.Errorf("written as %s", got)
			}
		})
	}
}

func TestABrokenPathIsRefused(t *testing.T) {
	for _, text := range []string{"", ".", "a.", ".a", "a..b", "a[x]", "a[-1]", "a[", "[0]"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func TestAPatternYieldsThePathsThatTheTreeHas(t *testing.T) {
	root := yaml.MustParse(`
pools:
- name: a
- name: b
placement:
  all: {}
  mon: {}
scalar: x
`).YNode()
	cases := map[string][]string{
		"pools[].tolerations":     {"pools[0].tolerations", "pools[1].tolerations"},
		"placement{}.tolerations": {"placement.all.tolerations", "placement.mon.tolerations"},
		"missing.tolerations":     {"missing.tolerations"},
		"missing[].tolerations":   nil,
		"scalar{}.tolerations":    nil,
	}
	for text, want := range cases {
		pattern, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, path := range Expand(root, pattern) {
			got = append(got, path.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
	}
}

func TestAValueIsSetWithTheMappingsThatLeadThere(t *testing.T) {
	cases := map[string]struct{ in, path, want string }{
		"a key that is there": {"a: 1 # one\nb: 2\n", "a", "a: new\nb: 2\n"},
		"a new key":           {"a: 1\n", "b", "a: 1\nb: new\n"},
		"below a missing one": {"a: 1\n", "b.c.d", "a: 1\nb:\n  c:\n    d: new\n"},
		"below a null":        {"a:\n", "a.b", "a:\n  b: new\n"},
		"below an empty one":  {"a: {}\n", "a.b", "a:\n  b: new\n"},
		"inside a list":       {"a:\n- b: 1\n- b: 2\n", "a[1].c", "a:\n- b: 1\n- b: 2\n  c: new\n"},
		"an item of a list":   {"a:\n- 1\n- 2\n", "a[0]", "a:\n- new\n- 2\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			root := yaml.MustParse(c.in)
			path, err := Parse(c.path)
			if err != nil {
				t.Fatal(err)
			}
			if err := Set(root.YNode(), path, yaml.NewScalarRNode("new").YNode()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, root.MustString()); diff != "" {
				t.Error(diff)
			}
			if Lookup(root.YNode(), path...).Value != "new" {
				t.Error("the value is not found where it was set")
			}
		})
	}
}

func TestAPlaceThatCannotExistIsAnError(t *testing.T) {
	root := yaml.MustParse("a: text\nb: [1]\n").YNode()
	cases := map[string]string{
		"a.b":  `a is the value "text", so it has no b`,
		"b.c":  "b is a list, so it has no c",
		"b[1]": "b is a list, so it has no 1",
	}
	for text, want := range cases {
		path, _ := Parse(text)
		err := Set(root, path, yaml.NewScalarRNode("x").YNode())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a.b", `a\.b`, "a[0]", "a[]{}", "", "[", "}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		path, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(path.String())
		if err != nil {
			t.Fatalf("%q is written as %q, which cannot be read: %v", s, path, err)
		}
		if diff := cmp.Diff(path, again); diff != "" && !strings.ContainsAny(s, `\`) {
			t.Fatalf("%q: %s", s, diff)
		}
	})
}
