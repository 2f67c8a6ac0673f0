package flux

import (
	"fmt"
	"strings"
	"testing"
)

func TestAnchorsThatKustomizeCannotExpandAreRefused(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 9 {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 10))
	}
	for text, want := range map[string]string{
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: &d\n  a: *d\n": "line 5: the anchor d contains itself",
		laughs.String(): "its anchors expand to more than 2000000 nodes",
		"kind: List\napiVersion: v1\nitems: &i\n- kind: List\n  items: *i\n": "line 5: the anchor i contains itself",
	} {
		for _, kustomization := range []string{"", "-- dev/kustomization.yaml --\nresources: [a.yaml]\n"} {
			c := openText(t, "-- dev/a.yaml --\n"+text+kustomization)
			Discover(c)
			k := readEnv(t, c, Options{Path: "dev"}).Kustomizations[0]
			if k.Built || k.Problems[0].Message != "dev/a.yaml: "+want {
				t.Errorf("got %v, want %s", k.Problems, want)
			}
		}
	}
}

func TestAnchorsThatCanBeExpandedAreNoFault(t *testing.T) {
	c := openText(t, `
-- dev/a.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a, labels: &l {a: b}}
data: *l
`)
	if o := readEnv(t, c, Options{Path: "dev"}).Object("", "ConfigMap", "", "a"); dataOf(o)["a"] != "b" {
		t.Errorf("got %v", o)
	}
}
