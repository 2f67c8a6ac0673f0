package tree

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestWhatYamlWouldMisreadIsQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain\n", "1": "\"1\"\n", "yes": "\"yes\"\n", "0x56a0": "\"0x56a0\"\n", "": "\"\"\n", "a: b": "\"a: b\"\n",
	} {
		if got := yaml.NewRNode(Text(text)).MustString(); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}

func TestAMapHoldsItsKeysInOrder(t *testing.T) {
	got := yaml.NewRNode(Map("b", Text("1"), "a", List(Text("x"), Text("z")))).MustString()
	if diff := cmp.Diff("b: \"1\"\na:\n- x\n- z\n", got); diff != "" {
		t.Error(diff)
	}
}

func TestRemoveTakesOneThingAway(t *testing.T) {
	const in = "a:\n  x: 1\n  y: 2\nl:\n- one\n- two\n- three\n"
	cases := map[string]struct {
		path  Path
		want  string
		there bool
	}{
		"a key":               {Path{"a", "x"}, "a:\n  y: 2\nl:\n- one\n- two\n- three\n", true},
		"the last key":        {Path{"l"}, "a:\n  x: 1\n  y: 2\n", true},
		"an item":             {Path{"l", "1"}, "a:\n  x: 1\n  y: 2\nl:\n- one\n- three\n", true},
		"the first item":      {Path{"l", "0"}, "a:\n  x: 1\n  y: 2\nl:\n- two\n- three\n", true},
		"a key that is none":  {Path{"a", "z"}, in, false},
		"an item beyond":      {Path{"l", "3"}, in, false},
		"below what is not":   {Path{"b", "c"}, in, false},
		"nothing in the root": {nil, in, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			root := yaml.MustParse(in)
			if there := Remove(root.YNode(), c.path); there != c.there {
				t.Errorf("said %t", there)
			}
			if diff := cmp.Diff(c.want, root.MustString()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
