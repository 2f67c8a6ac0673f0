package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const paths = `{
 "z.example/widget_v1": ["spec.b[].tolerations", "spec.a.tolerations", "spec.a.tolerations"],
 "a.example/Broker_v1beta1": ["spec.toleRations"],
 "a.example/broker_v2": ["spec.toleRations", "spec.tolerations"],
 "a.example/controlplane_v1": ["status.tolerations"]
}`

const catalog = `# Where custom resources keep the tolerations of their pods: group, kind, version, paths.
# Made by tools/crdcatalog from somewhere @1. Do not edit.
a.example broker v1beta1 spec.toleRations
a.example broker v2 spec.tolerations
z.example widget v1 spec.a.tolerations spec.b[].tolerations
`

func TestPathsBecomeSortedLinesWithoutStatusAndMisspelledTwins(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.json"), filepath.Join(dir, "out.txt")
	if err := os.WriteFile(in, []byte(paths), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(in, out, "somewhere @1"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(catalog, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNoListOfPathsIsAnError(t *testing.T) {
	for input, want := range map[string]string{
		`[]`:                           "cannot unmarshal",
		`{"nogroup_v1": ["a"]}`:        `"nogroup_v1" is not group/kind_version`,
		`{"g/noversion": ["a"]}`:       `"g/noversion" is not group/kind_version`,
		`{"g/k_v1": ["a b"]}`:          `g/k_v1: "a b" is no path`,
		`{"g/k_v1": [""]}`:             `g/k_v1: "" is no path`,
		`{"g/k k_v1": ["spec.a"]}`:     "is not group/kind_version",
		`{"g/k_v1": "spec.a"}`:         "cannot unmarshal",
		`{"g/k_v1": ["spec.a"]} extra`: "invalid character",
	} {
		if _, err := compact([]byte(input), "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", input, err, want)
		}
	}
	if err := run("", "", ""); err == nil {
		t.Error("no flags")
	}
	if err := run("missing.json", "x", "x"); err == nil {
		t.Error("no file")
	}
}
