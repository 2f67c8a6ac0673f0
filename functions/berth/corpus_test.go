package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/stream"
)

// The repositories of other people, one folder each, are in the folder that BERTH_CORPUS names. For each an intent is
// written that allows every carrier in it, and everything is run on it.
func corpus(t *testing.T) []string {
	t.Helper()
	root := os.Getenv("BERTH_CORPUS")
	if root == "" {
		t.Skip("SKIPPED: BERTH_CORPUS names no folder with repositories")
	}
	dirs, err := filepath.Glob(filepath.Join(root, "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%s: %v", root, err)
	}
	return dirs
}

func TestTheFunctionOnWholeRepositories(t *testing.T) {
	for _, dir := range corpus(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			items := repository(t, dir)
			intent := intentFor(t, items, nil)
			in := resourceList(t, items, intent)
			out := function(t, in)
			again := function(t, out)
			if !bytes.Equal(out, again) {
				t.Error("the second run changed something")
			}
			before, after := list(t, in), list(t, out)
			edited := 0
			for i, item := range before {
				if i >= len(after) || after[i].ID() != item.ID() {
					t.Fatalf("%s is lost", item.ID())
				}
				if text(t, item) != text(t, after[i]) {
					edited++
				}
			}
			t.Logf("%d objects, %d carriers, %d edited, %d added", len(before), strings.Count(intent, "- workload:"), edited, len(after)-len(before))
			if strings.Count(intent, "- workload:") > 0 && edited == 0 {
				t.Error("nothing was edited")
			}
		})
	}
}

func TestGenerateOnEveryKustomizationOfTheRepositories(t *testing.T) {
	for _, dir := range corpus(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			built, refused := 0, map[string]int{}
			for _, kustomization := range find(t, dir, "kustomization.yaml") {
				if bytes.Contains(read(t, kustomization), []byte("kind: Component")) {
					continue // nothing by itself
				}
				if err := generateOn(t, filepath.Dir(kustomization)); err != nil {
					refused[err.Error()]++
				} else {
					built++
				}
			}
			t.Logf("%d kustomizations, not built: %v", built, refused)
		})
	}
}

// generateOn runs berth generate twice on a folder. The error says why kustomize does not build it: most often a file
// that is not in the repository, or a remote base.
func generateOn(t *testing.T, dir string) error {
	t.Helper()
	rendered := filepath.Join(t.TempDir(), "render.yaml")
	var complaint bytes.Buffer
	if code := run([]string{"build", dir, "-o", rendered, "--load-restrictor", restrictNone}, streams{in: strings.NewReader(""), out: &complaint, err: &complaint}); code != 0 {
		return fmt.Errorf("%.60s", strings.TrimSpace(lastLine(complaint.String())))
	}
	items, err := stream.ReadDocuments(rendered, read(t, rendered))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	taints := filepath.Join(out, "taints.yaml")
	if err := os.WriteFile(taints, []byte(intentFor(t, items, nil)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"--check"}} {
		var said bytes.Buffer
		all := append([]string{"generate", taints, "--from", dir, "-o", filepath.Join(out, "generated"), "-q"}, args...)
		if code := run(all, streams{in: strings.NewReader(""), out: &said, err: &said}); code != 0 {
			t.Errorf("%s %v: exit status %d\n%s", dir, args, code, said.String())
			return nil
		}
	}
	return nil
}

func TestValuesFilesOfTheRepositoriesGetOverlays(t *testing.T) {
	for _, dir := range corpus(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var files []string
			for _, pattern := range []string{"values.yaml", "values.yml"} {
				files = append(files, find(t, dir, pattern)...)
			}
			temp := t.TempDir()
			entries := map[string]string{}
			for i, file := range files {
				name := fmt.Sprintf("%d.yaml", i)
				if err := os.WriteFile(filepath.Join(temp, name), read(t, file), 0o644); err != nil {
					t.Fatal(err)
				}
				entries[name] = file
			}
			if len(entries) == 0 {
				t.Skip("SKIPPED: no values file")
			}
			taints := filepath.Join(temp, "taints.yaml")
			if err := os.WriteFile(taints, []byte(intentFor(t, nil, entries)), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{}, {"--check"}} {
				var said bytes.Buffer
				all := append([]string{"generate", taints, "-o", filepath.Join(temp, "generated"), "-q"}, args...)
				if code := run(all, streams{in: strings.NewReader(""), out: &said, err: &said}); code != 0 {
					t.Fatalf("%v: exit status %d\n%s", args, code, said.String())
				}
			}
			for name := range entries {
				if !strings.Contains(string(read(t, filepath.Join(temp, "generated", "helm-values", name))), "example.com/flaky") {
					t.Errorf("%s has no overlay", name)
				}
			}
			t.Logf("%d values files", len(entries))
		})
	}
}
