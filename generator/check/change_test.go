package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/finding"
)

// older opens a repository and an older state of it, and asks a rule about both.
func older(t *testing.T, rule *Rule, before, after string) *Result {
	t.Helper()
	r := opened(t, after)
	setup, err := Find(unpack(t, before), "")
	if err != nil {
		t.Fatal(err)
	}
	setup.After = r
	old, err := Open(t.Context(), setup, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Checkout.Close() //nolint:errcheck // it was only read
	result := Run(r, []*Rule{rule})
	result.Since(Run(old, []*Rule{rule}))
	return result
}

// unbuilt reports each Kustomization that has no build, and is how another one would be told of an object that is gone.
var unbuilt = &Rule{Code: "unbuilt", Severity: finding.Error, Environment: func(p *Pass) {
	for _, k := range p.Kustomizations {
		if !k.Built {
			p.Report(OnKustomization(k, nil, "is not built", "mend it"))
		}
	}
}}

func TestAFindingIsNewWhenTheOlderStateDoesNotHaveIt(t *testing.T) {
	fresh := "-- apps/fresh.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: fresh, namespace: default}\n"
	_, withoutDev, _ := strings.Cut(repository, "-- clusters/prod/apps.yaml --")
	withoutDev = "-- clusters/prod/apps.yaml --" + withoutDev
	for name, c := range map[string]struct {
		rule          *Rule
		before, after string
		want          string
		known         int
	}{
		"nothing changed": {objects, repository, repository, "", 3},
		"an object came":  {objects, repository, repository + fresh, "fresh dev+prod", 3},
		"an object went":  {objects, repository + fresh, repository, "", 3},
		"a finding reaches one environment more": {
			objects, strings.Replace(repository, "path: ./apps", "path: ./other", 1), repository, "app dev+prod", 2,
		},
		"a folder that breaks":                 {unbuilt, repository, repository + "-- other/broken.yaml --\na: [\n", "other dev", 0},
		"a folder that was broken":             {unbuilt, repository + "-- other/broken.yaml --\na: [\n", repository + "-- other/broken.yaml --\na: {\n", "", 1},
		"lines above it":                       {objects, repository, strings.ReplaceAll(repository, "-- apps/app.yaml --\n", "-- apps/app.yaml --\n# Mine.\n"), "", 3},
		"an environment that is not named yet": {objects, withoutDev, repository, "app dev+prod, cluster-vars dev, other dev", 0},
	} {
		t.Run(name, func(t *testing.T) {
			result := older(t, c.rule, c.before, c.after)
			if got := names(result.Findings); got != c.want || result.Before != c.known {
				t.Errorf("%q is new, %d are known; want %q and %d", got, result.Before, c.want, c.known)
			}
		})
	}
}

func TestAFindingThatBecomesWorseIsNewAndCountsAsOftenAsItIsThere(t *testing.T) {
	one := func(s finding.Severity) Finding {
		return Finding{Finding: finding.Finding{Severity: s}, Fingerprint: "f"}
	}
	before := &Result{Findings: []Finding{one(finding.Warning), one(finding.Error)}}
	after := &Result{Findings: []Finding{one(finding.Error), one(finding.Error), one(finding.Warning)}}
	after.Since(before)
	if diff := cmp.Diff([]Finding{one(finding.Error)}, after.Findings); diff != "" || after.Before != 2 {
		t.Errorf("%d: %s", after.Before, diff)
	}
}

// Names that the RenderCheck gives may lead to folders that an older state does not have yet.
func TestANamedEnvironmentMayBeMissingInAnOlderState(t *testing.T) {
	named := "-- berth.yaml --\napiVersion: berth.dev/v1alpha1\nkind: RenderCheck\nmetadata: {name: test}\nspec:\n  environments: [{name: dev, path: clusters/dev}]\n"
	result := older(t, objects, named, repository+named)
	if got := names(result.Findings); got != "app dev, cluster-vars dev, other dev" {
		t.Errorf("%q is new", got)
	}
}
