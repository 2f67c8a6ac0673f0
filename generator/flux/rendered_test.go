package flux

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAKustomizationIsRenderedAsTheControllerBuildsIt(t *testing.T) {
	_, k, _ := substituted(t, "", "postBuild:\n  substitute: {A: \"3\"}", "a: ${A}\nb: \"x${A}\"", `
-- app/namespace.yaml --
apiVersion: v1
kind: Namespace
metadata: {name: app}
-- app/by-hand.yaml --
apiVersion: v1
kind: Namespace
metadata: {name: by-hand, annotations: {kustomize.toolkit.fluxcd.io/reconcile: disabled}}
`)
	got, err := k.YAML()
	if err != nil {
		t.Fatal(err)
	}
	want := `apiVersion: v1
data:
  a: 3
  b: x3
kind: ConfigMap
metadata:
  name: config
  namespace: app
---
apiVersion: v1
kind: Namespace
metadata:
  name: app
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !k.Complete() {
		t.Error("it is not complete")
	}
}

func TestWhatTheCheckoutDoesNotShowMakesARenderIncomplete(t *testing.T) {
	secret := "postBuild:\n  substituteFrom: [{kind: Secret, name: nowhere}]"
	cases := []struct {
		name, postBuild, data, more string
		want                        bool
	}{
		{"nothing is missing", "", "a: b", "", true},
		{"a variable of a Secret that Git does not have", secret, "a: ${A}", "", false},
		{"one with a default, which that Secret may override", secret, "a: ${A:-d}", "", false},
		{"no variable, whatever the Secret holds", secret, "a: b", "", true},
		{"an object that SOPS encrypted", "", "a: b", "-- app/s.yaml --\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nsops: {mac: x}\n", false},
		{"a remote base", "", "a: b", "-- app/kustomization.yaml --\nresources: [config.yaml, \"https://example.org/x.yaml\"]\n", false},
		{"a build that fails", "", "a: b", "-- app/kustomization.yaml --\nresources: [nowhere.yaml]\n", false},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			_, k, _ := substituted(t, "", tc.postBuild, tc.data, tc.more)
			if got := k.Complete(); got != tc.want {
				t.Errorf("complete is %v, problems %v", got, k.Problems)
			}
		})
	}
}

func TestAnObjectThatKustomizeCannotWriteIsAnError(t *testing.T) {
	_, k, _ := substituted(t, "", "", "NULL: a", "")
	if _, err := k.YAML(); err == nil || !strings.Contains(err.Error(), "render ConfigMap app/config: ") {
		t.Errorf("got %v", err)
	}
}
