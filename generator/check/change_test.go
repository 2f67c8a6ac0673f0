package check

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/finding"
)

// unbuilt reports each Kustomization that has no build.
var unbuilt = &Rule{Code: "unbuilt", Severity: finding.Error, Environment: func(p *Pass) {
	for _, k := range p.Kustomizations {
		if !k.Built {
			p.Report(OnKustomization(k, nil, "is not built", "mend it"))
		}
	}
}}

// What a failed build would have read is not known, so no change is innocent of it.
func TestWhatCannotBeBuiltIsNeverOutOfReach(t *testing.T) {
	for name, c := range map[string]struct{ more, changed string }{
		"broken YAML in a resource": {"-- other/app.yaml --\na: [\n", "other/app.yaml"},
		"a file that is listed and gone": {
			"-- other/kustomization.yaml --\nresources: [app.yaml, gone.yaml]\n", "other/gone.yaml",
		},
		"a guard that fails": {
			"-- other/kustomization.yaml --\nresources: [app.yaml]\npatches: [{path: guard.yaml, target: {kind: ConfigMap}}]\n" +
				"-- other/guard.yaml --\n- {op: test, path: /metadata/name, value: another}\n", "other/app.yaml",
		},
		"a file that nothing is known to read": {"-- other/app.yaml --\na: [\n", "README.md"},
	} {
		t.Run(name, func(t *testing.T) {
			r := opened(t, repository+c.more)
			result := Run(r, []*Rule{unbuilt})
			result.Reach(NewChange(r, []string{c.changed}))
			if got := names(result.Findings); got != "other dev" {
				t.Errorf("%q is left", got)
			}
		})
	}
}

func TestAFolderThatIsGoneIsNeverOutOfReach(t *testing.T) {
	text, _, _ := strings.Cut(repository, "-- other/app.yaml --")
	r := opened(t, text)
	result := Run(r, []*Rule{unbuilt})
	result.Reach(NewChange(r, []string{"other/app.yaml"}))
	if got := names(result.Findings); got != "other dev" {
		t.Errorf("%q is left", got)
	}
}

// A folder in another repository was not built either, and no change of this one breaks it.
func TestAFolderElsewhereMayBeOutOfReach(t *testing.T) {
	r := opened(t, repository+`-- clusters/prod/more.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: more, namespace: flux-system}
spec: {interval: 10m, path: ./more, prune: true, sourceRef: {kind: OCIRepository, name: more}}
`)
	result := Run(r, []*Rule{unbuilt})
	if got := names(result.Findings); got != "more prod" {
		t.Fatalf("%q is found", got)
	}
	result.Reach(NewChange(r, []string{"README.md"}))
	if got := names(result.Findings); got != "" {
		t.Errorf("%q is left", got)
	}
}

func TestAFileThatIsGoneReachesTheFolderThatItWasIn(t *testing.T) {
	for gone, want := range map[string]string{
		"apps/gone.yaml":         "app dev+prod",
		"apps/deeper/gone.yaml":  "app dev+prod",
		"other/gone.yaml":        "other dev",
		"clusters/dev/gone.yaml": "cluster-vars dev, other dev", // other takes its variables from there
		"docs/gone.md":           "",
		"apps/.sourceignore":     "app dev+prod, cluster-vars dev, other dev",
	} {
		r := opened(t, repository)
		result := Run(r, []*Rule{objects})
		result.Reach(NewChange(r, []string{gone}))
		if got := names(result.Findings); got != want {
			t.Errorf("%s: %s, want %s", gone, got, want)
		}
	}
}
