package inprocess

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const config = `apiVersion: berth.dev/v1alpha1
kind: Mark
metadata: {name: %s}
`

const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: a, args: [x, y]}]}}}
`

// mark is a function that changes one argument of each Deployment and adds a ConfigMap that lists what it was given.
func mark(in []byte) ([]byte, error) {
	text := strings.ReplaceAll(string(in), "- x\n", "- z\n")
	given := strings.Count(text, "kind: Deployment")
	added := fmt.Sprintf("- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: given-%d\n", given)
	at := strings.Index(text, "functionConfig:")
	return []byte(text[:at] + added + text[at:]), nil
}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheFunctionRunsWhereItsEntryStands(t *testing.T) {
	dir := write(t, map[string]string{
		"base/kustomization.yaml":    "resources: [web.yaml]\nnamePrefix: b-\ntransformers: [mark.yaml]\n",
		"base/web.yaml":              web,
		"base/mark.yaml":             fmt.Sprintf(config, "m"),
		"overlay/kustomization.yaml": "resources: [../base]\nnamespace: shop\n",
	})
	got, err := Build(filepath.Join(dir, "overlay"), mark, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `apiVersion: v1
kind: ConfigMap
metadata:
  name: given-1
  namespace: shop
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: b-web
  namespace: shop
spec:
  template:
    spec:
      containers:
      - args:
        - z
        - "y"
        name: a
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("something was written: %v", entries)
	}
}

func TestWithoutAnEntryOfBerthsItIsKustomizeBuild(t *testing.T) {
	dir := write(t, map[string]string{"kustomization.yaml": "resources: [web.yaml]\n", "web.yaml": web})
	never := func([]byte) ([]byte, error) { return nil, errors.New("it ran") }
	if out, err := Build(dir, never, Options{}); err != nil || !bytes.Contains(out, []byte("name: web")) {
		t.Errorf("%s %v", out, err)
	}
}

func TestWhatAFunctionMayNotDo(t *testing.T) {
	dir := write(t, map[string]string{
		"kustomization.yaml": "resources: [web.yaml]\ntransformers: [mark.yaml]\n", "web.yaml": web, "mark.yaml": fmt.Sprintf(config, "m"),
	})
	for name, c := range map[string]struct {
		run  Function
		want string
	}{
		"fail": {func([]byte) ([]byte, error) { return nil, errors.New("no such taint") }, "no such taint"},
		"lose an object": {func(in []byte) ([]byte, error) {
			return []byte("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"), nil
		}, "Deployment web did not come back"},
		"rename one": {func(in []byte) ([]byte, error) {
			return bytes.ReplaceAll(in, []byte("name: web"), []byte("name: other")), nil
		}, "Deployment web did not come back"},
		"print rubbish": {func([]byte) ([]byte, error) { return []byte("hello"), nil }, "ResourceList"},
	} {
		if _, err := Build(dir, c.run, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestACycleIsLeftToKustomize(t *testing.T) {
	dir := write(t, map[string]string{
		"a/kustomization.yaml": "resources: [../b]\n", "b/kustomization.yaml": "resources: [../a]\n",
	})
	if _, err := Build(filepath.Join(dir, "a"), mark, Options{}); err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("%v", err)
	}
}
