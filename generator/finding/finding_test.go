package finding

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAFindingIsOneLine(t *testing.T) {
	object := &Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "apps", Name: "web"}
	cases := map[string]Finding{
		"warning: m [c]": {Code: "c", Severity: Warning, Message: "m"},
		"f.yaml:3: error: Deployment apps/web spec.x: m; do it [c]": {
			Code: "c", Severity: Error, Object: object, Field: "spec.x", Message: "m", Action: "do it", Source: Source{File: "f.yaml", Line: 3},
		},
		"f.yaml: info: Node a: m [c]": {Code: "c", Severity: Info, Object: &Object{Kind: "Node", Name: "a"}, Message: "m", Source: Source{File: "f.yaml"}},
	}
	for want, f := range cases {
		if diff := cmp.Diff(want, f.String()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTheWorstComesFirstThenThePlace(t *testing.T) {
	at := func(severity Severity, file string, line int, code string) Finding {
		return Finding{Code: code, Severity: severity, Source: Source{File: file, Line: line}}
	}
	all := []Finding{at(Info, "a", 1, "x"), at(Error, "b", 2, "x"), at(Warning, "a", 1, "x"), at(Error, "b", 1, "z"), at(Error, "b", 1, "y")}
	Sort(all)
	want := []Finding{at(Error, "b", 1, "y"), at(Error, "b", 1, "z"), at(Error, "b", 2, "x"), at(Warning, "a", 1, "x"), at(Info, "a", 1, "x")}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	if !HasErrors(all) || HasErrors(all[3:]) {
		t.Error("HasErrors is wrong")
	}
}
