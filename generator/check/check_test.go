package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

const repository = `
-- clusters/dev/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 10m, path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: other, namespace: flux-system}
spec:
  interval: 10m
  path: ./other
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substituteFrom: [{kind: ConfigMap, name: cluster-vars}]}
-- clusters/prod/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 10m, path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
-- clusters/dev/vars.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: cluster-vars, namespace: flux-system}
data: {A: b}
-- clusters/dev/taints.yaml --
apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: dev, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {taints: [], nodes: [{names: [a]}]}
-- taints.yaml --
apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: both, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {taints: [], nodes: [{names: [b]}]}
-- testdata/taints.yaml --
apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: sample}
spec: {taints: [], nodes: [{names: [c]}]}
-- apps/app.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: app, namespace: default}
-- other/app.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: other, namespace: default}
`

func unpack(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(text)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func opened(t *testing.T, text string) *Repository {
	t.Helper()
	setup, err := Find(unpack(t, text), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), setup, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Checkout.Close() })
	return r
}

// objects reports each ConfigMap, so that what happens to findings can be seen.
var objects = &Rule{Code: "object", Severity: finding.Warning, Environment: func(p *Pass) {
	for o := range p.Objects() {
		if o.Kind == "ConfigMap" {
			p.Report(On(o, nil, "is there", "nothing to do"))
		}
	}
}}

func names(all []Finding) string {
	var found []string
	for _, f := range all {
		found = append(found, f.Object.Name+" "+strings.Join(f.Environments, "+"))
	}
	return strings.Join(found, ", ")
}

func TestAFindingOfTwoEnvironmentsIsOne(t *testing.T) {
	r := Run(opened(t, repository), []*Rule{objects})
	if got, want := names(r.Findings), "app dev+prod, cluster-vars dev, other dev"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if f := r.Findings[0]; f.Source.String() != "apps/app.yaml:1" || len(f.Fingerprint) != 16 || f.Severity != finding.Warning || f.Code != "object" {
		t.Errorf("%+v", f)
	}
	want := []Summary{
		{Name: "dev", Path: "clusters/dev", Stage: "active", Why: r.Environments[0].Why, Kustomizations: 3, Built: 3, Objects: 5},
		{Name: "prod", Path: "clusters/prod", Stage: "active", Why: r.Environments[1].Why, Kustomizations: 2, Built: 2, Objects: 2},
	}
	if diff := cmp.Diff(want, r.Environments); diff != "" || want[0].Why == "" {
		t.Error(diff)
	}
}

func TestAnIntentBelowAnEnvironmentHoldsForItAlone(t *testing.T) {
	r := opened(t, repository)
	got := map[string]string{}
	for _, e := range r.Environments {
		for _, intent := range e.Declared.Intents {
			got[e.Name] += intent.Metadata.Name + " "
		}
	}
	if diff := cmp.Diff(map[string]string{"dev": "dev both ", "prod": "both "}, got); diff != "" {
		t.Error(diff)
	}
}

func TestNamedIntentsHoldAsTheyAreNamed(t *testing.T) {
	r := opened(t, repository+`-- berth.yaml --
apiVersion: berth.dev/v1alpha1
kind: RenderCheck
metadata: {name: test}
spec:
  environments:
    - {name: dev, path: clusters/dev, intents: [testdata/taints.yaml]}
    - {name: prod, path: clusters/prod}
  intents: [taints.yaml]
`)
	if n := len(r.Environments[0].Declared.Intents); n != 2 {
		t.Errorf("dev has %d intents", n)
	}
	if n := len(r.Environments[1].Declared.Intents); n != 1 {
		t.Errorf("prod has %d intents", n)
	}
}

func TestSetupsThatCannotBeRead(t *testing.T) {
	head := "-- berth.yaml --\napiVersion: berth.dev/v1alpha1\nkind: RenderCheck\nmetadata: {name: a}\nspec: {}\n"
	for name, c := range map[string]struct{ text, file, want string }{
		"two in a file": {head + "---\n" + strings.SplitN(head, "\n", 2)[1], "", "berth.yaml: holds 2 RenderChecks: a repository has one"},
		"a field":       {head + "more: 1\n", "", `berth.yaml:5: more: unknown field "more"`},
		"not there":     {head, "other.yaml", "read check: openat other.yaml: no such file"},
	} {
		_, err := Find(unpack(t, c.text), c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Find(filepath.Join(t.TempDir(), "nowhere"), ""); err == nil {
		t.Error("a folder that does not exist was opened")
	}
}

func TestAnEnvironmentThatIsNotThereEndsTheCheck(t *testing.T) {
	setup, err := Find(unpack(t, repository+"-- berth.yaml --\napiVersion: berth.dev/v1alpha1\nkind: RenderCheck\nmetadata: {name: a}\nspec: {environments: [{name: test, path: clusters/test}]}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), setup, nil)
	if err == nil || err.Error() != "berth.yaml: environment test: read environment clusters/test: no such folder in the checkout" {
		t.Errorf("%v", err)
	}
}

func TestABaselineAcceptsAsOftenAsItSays(t *testing.T) {
	r := Run(opened(t, repository), []*Rule{objects})
	b := NewBaseline(r)
	b.Findings = b.Findings[:2]
	r.WithoutBaseline(b)
	if got := names(r.Findings); got != "other dev" || len(r.Baseline) != 2 {
		t.Errorf("%s left, %d accepted", got, len(r.Baseline))
	}
	for text, want := range map[string]string{
		"":       "read baseline: the file is empty: write it with berth check --write-baseline",
		"{\n":    "read baseline: line 2: unexpected end of JSON input: write it with",
		"[]":     "read baseline: line 1: json: cannot unmarshal array",
		"{}":     "read baseline: it says neither apiVersion: berth.dev/v1alpha1 nor kind: CheckBaseline: write it with",
		"a: b\n": "read baseline: line 1: invalid character 'a'",
		`{"kind": "CheckReport", "apiVersion": "berth.dev/v1alpha1"}`:                                `read baseline: this is "CheckReport" of "berth.dev/v1alpha1", not CheckBaseline`,
		`{"kind": "CheckBaseline", "apiVersion": "berth.dev/v1alpha1", "findings": [{"code": "a"}]}`: "read baseline: findings[0] has no fingerprint",
	} {
		if _, err := ReadBaseline([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAnEntryAcceptsUntilTheEndOfItsDay(t *testing.T) {
	text := repository + `-- berth.yaml --
apiVersion: berth.dev/v1alpha1
kind: RenderCheck
metadata: {name: test}
spec:
  environments: [{name: dev, path: clusters/dev}]
  ignore: [{code: object, object: ConfigMap default/*, reason: known, until: 2026-11-30}]
`
	for day, want := range map[string]string{
		"2026-11-30T23:59:59Z": "object",
		"2026-12-01T00:00:00Z": "ignore-expired object object object",
	} {
		today, err := time.Parse(time.RFC3339, day)
		if err != nil {
			t.Fatal(err)
		}
		r := opened(t, text)
		result := Run(r, []*Rule{objects})
		result.WithoutIgnored(r.Check, today)
		var codes []string
		for _, f := range result.Findings {
			codes = append(codes, f.Code)
		}
		slices.Sort(codes)
		if got := strings.Join(codes, " "); got != want {
			t.Errorf("%s: %s, want %s", day, got, want)
		}
	}
}

func TestFoldersCanBeNamedInstead(t *testing.T) {
	setup, err := Find(unpack(t, repository), "")
	if err != nil {
		t.Fatal(err)
	}
	setup.Name([]string{"clusters/prod/"})
	var seen []string
	r, err := Open(t.Context(), setup, func(environment string, id flux.ID) { seen = append(seen, environment+" "+id.Name) })
	if err != nil {
		t.Fatal(err)
	}
	defer r.Checkout.Close() //nolint:errcheck // it was only read
	if got := strings.Join(seen, ", "); len(r.Environments) != 1 || got != "clusters/prod flux-system, clusters/prod apps" {
		t.Errorf("%d environments; %s", len(r.Environments), got)
	}
}
