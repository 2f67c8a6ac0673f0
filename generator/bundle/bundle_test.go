package bundle

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/stream"
)

const twoIntents = `apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: first}
spec:
  taints: [{name: a, taint: "example.com/a=1:NoSchedule"}]
  nodes: [{names: [n1], taints: [a]}, {names: [good]}]
  allow:
    - {workload: {kind: Deployment, name: web}, tolerate: [a], reason: r}
---
apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: second}
spec:
  dropIn: {fileName: 95-second.yaml}
  taints: [{name: b, taint: "example.com/b:NoExecute"}]
  nodes: [{names: [n1], taints: [b]}]
  allow:
    - {workload: {kind: Deployment, name: web}, tolerate: [b], reason: r}
`

const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: apps}
spec: {template: {spec: {containers: []}}}
---
apiVersion: example.com/v1
kind: Deployment
metadata: {name: unrelated, namespace: apps}
`

func files(t *testing.T) map[string]File {
	t.Helper()
	intents, err := v1alpha1.ReadTaintIntents("intents.yaml", []byte(twoIntents))
	if err != nil {
		t.Fatal(err)
	}
	items, err := stream.ReadDocuments("web.yaml", []byte(web))
	if err != nil {
		t.Fatal(err)
	}
	all, found, err := Files(intents, []Render{{Items: items}})
	if err != nil {
		t.Fatal(err, found)
	}
	byPath := map[string]File{}
	for _, f := range all {
		byPath[f.Path] = f
	}
	return byPath
}

func TestTheLaterIntentSeesWhatTheEarlierOneDid(t *testing.T) {
	got := string(files(t)["component/second_deployment_apps_web.yaml"].Content)
	_, got, _ = strings.Cut(got, "---\n")
	want := `- op: test
  path: /spec/template/spec/tolerations
  value:
  - key: example.com/a
    operator: Equal
    value: "1"
    effect: NoSchedule
- op: replace
  path: /spec/template/spec/tolerations
  value:
  - key: example.com/a
    operator: Equal
    value: "1"
    effect: NoSchedule
  - key: example.com/b
    operator: Exists
    effect: NoExecute
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEveryFileCarriesAHeaderWithItsIntents(t *testing.T) {
	all := files(t)
	want := map[string][]string{
		"component/first_deployment_apps_web.yaml":    {"first"},
		"component/second_deployment_apps_web.yaml":   {"second"},
		"component/kustomization.yaml":                {"first", "second"},
		"k3s/good/config.yaml.d/90-berth-taints.yaml": {"first"},
		"k3s/n1/config.yaml.d/90-berth-taints.yaml":   {"first"},
		"k3s/n1/config.yaml.d/95-second.yaml":         {"second"},
		"record/berth-first.yaml":                     {"first"},
		"record/berth-second.yaml":                    {"second"},
		"record/kustomization.yaml":                   {"first", "second"},
		"taint-nodes.sh":                              {"first", "second"},
	}
	got := map[string][]string{}
	for path, f := range all {
		if !header.IsOurs(f.Content) {
			t.Errorf("%s has no header", path)
		}
		got[path] = header.Intents(f.Content)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// fakeKubectl does what kubectl does with `taint nodes NODE TAINT --overwrite`: it replaces the taint of that key and
// effect, leaves all others, and succeeds when nothing changes. An unknown node is an error.
const fakeKubectl = `#!/bin/sh
set -eu
[ "$1 $2 $5" = "taint nodes --overwrite" ] || { echo "unexpected: $*" >&2; exit 64; }
[ -f "$3" ] || { echo "nodes \"$3\" not found" >&2; exit 1; }
key=${4%%[=:]*}; effect=${4##*:}
{ grep -v "^$key[=:].*$effect\$" "$3" || true; echo "$4"; } | sort >"$3.new"
mv "$3.new" "$3"
`

func TestTheScriptMayRunAgainAndTouchesNoForeignTaint(t *testing.T) {
	dir := t.TempDir()
	kubectl := write(t, dir, "kubectl", fakeKubectl, 0o755)
	script := write(t, dir, "taint-nodes.sh", string(files(t)["taint-nodes.sh"].Content), 0o755)
	write(t, dir, "n1", "example.com/a=old:NoSchedule\nforeign=x:NoExecute\nexample.com/a=1:NoExecute\n", 0o644)
	want := "example.com/a=1:NoExecute\nexample.com/a=1:NoSchedule\nexample.com/b:NoExecute\nforeign=x:NoExecute\n"
	for range 2 {
		if out, err := runScript(dir, script, kubectl); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got, err := os.ReadFile(filepath.Join(dir, "n1"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTheScriptNamesTheNodesThatItCouldNotTaint(t *testing.T) {
	dir := t.TempDir()
	kubectl := write(t, dir, "kubectl", fakeKubectl, 0o755)
	script := write(t, dir, "taint-nodes.sh", string(files(t)["taint-nodes.sh"].Content), 0o755)
	out, err := runScript(dir, script, kubectl)
	if err == nil || !strings.HasSuffix(out, "not tainted: n1\n") {
		t.Errorf("%v: %s", err, out)
	}
}

func runScript(dir, script, kubectl string) (string, error) {
	cmd := exec.Command(script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KUBECTL="+kubectl)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func write(t *testing.T, dir, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}
