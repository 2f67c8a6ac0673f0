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
