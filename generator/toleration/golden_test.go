package toleration

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/internal/golden"
)

// Each case holds an intent.yaml and a render.yaml, and beside them what comes out: edited.yaml, findings.txt and
// patches.yaml.
func TestCases(t *testing.T) {
	dirs, err := filepath.Glob("testdata/*/intent.yaml")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range dirs {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) { runCase(t, dir) })
	}
}

func runCase(t *testing.T, dir string) {
	intent := readIntent(t, filepath.Join(dir, "intent.yaml"))
	items := readItems(t, "render.yaml", read(t, filepath.Join(dir, "render.yaml")))
	out, err := Apply(intent, items)
	if err != nil {
		t.Fatal(err)
	}
	var findings strings.Builder
	for _, f := range out.Findings {
		fmt.Fprintln(&findings, f)
	}
	edited := encode(t, items)
	golden.Check(t, filepath.Join(dir, "edited.yaml"), edited)
	golden.Check(t, filepath.Join(dir, "findings.txt"), findings.String())
	patches := kustomization(t, out.Edits)
	golden.Check(t, filepath.Join(dir, "patches.yaml"), patches)

	t.Run("patches do the same as the edits", func(t *testing.T) {
		if finding.HasErrors(out.Findings) {
			return // nobody may use what came out
		}
		built := build(t, read(t, filepath.Join(dir, "render.yaml")), patches)
		if diff := cmp.Diff(objects(t, edited), objects(t, built)); diff != "" {
			t.Errorf("-edited +built:\n%s", diff)
		}
	})
	t.Run("patches refuse a base that has changed", func(t *testing.T) {
		if !changed(out.Edits) {
			return
		}
		if _, err := tryBuild(edited, patches); err == nil {
			t.Error("patching what is patched already should fail the build")
		}
	})
	t.Run("a second run changes nothing", func(t *testing.T) {
		again := readItems(t, "edited.yaml", edited)
		second, err := Apply(intent, again)
		if err != nil {
			t.Fatal(err)
		}
		if changed(second.Edits) {
			t.Errorf("%d edits in the second run", len(second.Edits))
		}
		if diff := cmp.Diff(edited, encode(t, again)); diff != "" {
			t.Error(diff)
		}
	})
}

func changed(edits []Edit) bool { return slices.ContainsFunc(edits, Edit.Changes) }

func readIntent(t *testing.T, path string) *v1alpha1.TaintIntent {
	t.Helper()
	intents, err := v1alpha1.ReadTaintIntents("intent.yaml", []byte(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return intents[0]
}

func readItems(t *testing.T, name, text string) []*stream.Item {
	t.Helper()
	items, err := stream.ReadDocuments(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func encode(t *testing.T, items []*stream.Item) string {
	t.Helper()
	var docs []string
	for _, item := range items {
		node, err := item.Node()
		if err != nil {
			t.Fatal(err)
		}
		text, err := stream.Encode(node, nil)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, string(text))
	}
	return strings.Join(docs, "---\n")
}

// kustomization renders edits as the patches field of a kustomization.
func kustomization(t *testing.T, edits []Edit) string {
	t.Helper()
	type patch struct {
		Patch  string `yaml:"patch"`
		Target Target `yaml:"target"`
	}
	all := struct {
		Resources []string `yaml:"resources"`
		Patches   []patch  `yaml:"patches,omitempty"`
	}{Resources: []string{"render.yaml"}}
	for _, p := range Patches(edits) {
		var text bytes.Buffer
		if err := yaml.NewEncoder(&text).Encode(p.Operations); err != nil {
			t.Fatal(err)
		}
		all.Patches = append(all.Patches, patch{text.String(), p.Target})
	}
	out, err := yaml.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func build(t *testing.T, render, kustomization string) string {
	t.Helper()
	out, err := tryBuild(render, kustomization)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func tryBuild(render, kustomization string) (string, error) {
	fs := filesys.MakeFsInMemory()
	if err := fs.WriteFile("render.yaml", []byte(render)); err != nil {
		return "", err
	}
	if err := fs.WriteFile("kustomization.yaml", []byte(kustomization)); err != nil {
		return "", err
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fs, ".")
	if err != nil {
		return "", err
	}
	text, err := built.AsYaml()
	return string(text), err
}

// objects decodes a stream, Lists opened as kustomize opens them, by object.
func objects(t *testing.T, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, item := range readItems(t, "x", text) {
		node, err := item.Node()
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := node.YNode().Decode(&object); err != nil {
			t.Fatal(err)
		}
		if item.Kind != "List" {
			out[item.ID()] = object
			continue
		}
		for _, inner := range object["items"].([]any) {
			meta := inner.(map[string]any)["metadata"].(map[string]any)
			id := stream.Meta{Kind: fmt.Sprint(inner.(map[string]any)["kind"]), Name: fmt.Sprint(meta["name"])}
			if ns, ok := meta["namespace"].(string); ok {
				id.Namespace = ns
			}
			out[id.ID()] = inner
		}
	}
	return out
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
