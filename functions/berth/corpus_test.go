package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
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

// intentFor writes an intent that allows each carrier among the items, wherever it keeps tolerations, and each file.
func intentFor(t *testing.T, items []*stream.Item, files map[string]string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("apiVersion: berth.dev/v1alpha1\nkind: TaintIntent\nmetadata: {name: corpus}\nspec:\n  taints:\n" +
		"    - {name: flaky, taint: \"example.com/flaky=true:NoSchedule\", label: example.com/flaky=true}\n" +
		"  nodes:\n    - names: [flaky-1]\n      taints: [flaky]\n  allow:\n")
	seen := map[string]bool{}
	end := "      tolerate: [flaky]\n      reason: r\n"
	for _, item := range items {
		entry := entryFor(t, item)
		if entry == "" || seen[entry] || strings.Contains(item.Name+item.Namespace, "${") || item.Name == "" {
			continue
		}
		seen[entry] = true
		b.WriteString(entry + end)
	}
	for _, name := range slices.Sorted(keys(files)) {
		fmt.Fprintf(&b, "    - helmValues: {file: %s, paths: [tolerations]}\n%s", name, end)
	}
	return strings.TrimSuffix(b.String(), "  allow:\n")
}

func keys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// entryFor is an allow entry for an object, or nothing for one that runs no pods.
func entryFor(t *testing.T, item *stream.Item) string {
	t.Helper()
	root, err := item.Node()
	if err != nil {
		t.Fatal(err)
	}
	workload := fmt.Sprintf("    - workload: {apiVersion: %s, kind: %s, name: %s", item.APIVersion, item.Kind, item.Name)
	if item.Namespace != "" {
		workload += ", namespace: " + item.Namespace
	}
	workload += "}\n"
	switch item.Kind {
	case "HelmRelease":
		paths := []string{}
		tolerations(tree.Lookup(root.YNode(), "spec", "values"), nil, &paths)
		if len(paths) == 0 {
			paths = []string{"tolerations"}
		}
		return workload + "      helm:\n        values: ['" + strings.Join(paths, "', '") + "']\n        pods: [{kind: Deployment, name: x}]\n"
	case "Kustomization":
		if strings.HasPrefix(item.APIVersion, "kustomize.toolkit") {
			return workload + "      pods: [{kind: Deployment, name: x}]\n"
		}
		return ""
	}
	o := podspec.Object{APIVersion: item.APIVersion, Kind: item.Kind, Namespace: item.Namespace, Name: item.Name}
	slots, err := podspec.Slots(root.YNode(), o, v1alpha1.Carrier{})
	if err != nil || len(slots) == 0 || item.Kind == "Job" {
		return ""
	}
	return workload
}

// tolerations finds the lists of tolerations in values.
func tolerations(node *yaml.Node, at tree.Path, found *[]string) {
	if node == nil || node.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i].Value, node.Content[i+1]
		if key == "tolerations" && value.Kind == yaml.SequenceNode {
			*found = append(*found, at.Join(key).String())
			continue
		}
		tolerations(value, at.Join(key), found)
	}
}

// repository reads every object of a repository's YAML files. A file that is none, or a template, is passed over.
func repository(t *testing.T, dir string) []*stream.Item {
	t.Helper()
	var all []*stream.Item
	for _, pattern := range []string{".yaml", ".yml"} {
		for _, path := range find(t, dir, pattern) {
			items, err := stream.ReadDocuments(path, read(t, path))
			if err != nil {
				continue
			}
			for _, item := range items {
				if item.Kind != "" && item.APIVersion != "" {
					all = append(all, item)
				}
			}
		}
	}
	return all
}

func resourceList(t *testing.T, items []*stream.Item, intent string) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
	for _, item := range items {
		b.WriteString("- " + strings.ReplaceAll(strings.TrimRight(text(t, item), "\n"), "\n", "\n  ") + "\n")
	}
	b.WriteString("functionConfig:\n  " + strings.ReplaceAll(strings.TrimRight(intent, "\n"), "\n", "\n  ") + "\n")
	return []byte(b.String())
}

func function(t *testing.T, in []byte) []byte {
	t.Helper()
	var out, complaint bytes.Buffer
	if code := run(nil, streams{in: bytes.NewReader(in), out: &out, err: &complaint}); code != 0 {
		t.Fatalf("exit status %d\n%s", code, complaint.String())
	}
	at := bytes.Index(out.Bytes(), []byte("\nresults:")) // what the first run said is not asked for in the second
	if at < 0 {
		return out.Bytes()
	}
	return out.Bytes()[:at+1]
}

func list(t *testing.T, in []byte) []*stream.Item {
	t.Helper()
	all, err := stream.ReadList(in)
	if err != nil {
		t.Fatal(err)
	}
	return all.Items
}

func text(t *testing.T, item *stream.Item) string {
	t.Helper()
	node, err := item.Node()
	if err != nil {
		t.Fatal(err)
	}
	out, err := stream.Encode(node, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func find(t *testing.T, dir, suffix string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, suffix) {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
