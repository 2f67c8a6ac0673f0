package daemonset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/berth-dev/berth/generator/stream"
)

// patched builds the render with the components that were written, as Flux would.
func (k kase) patched(t *testing.T, outs []*Output, edited string) {
	built, err := k.build(t, outs, k.render)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decoded(t, edited), decoded(t, built)); diff != "" {
		t.Errorf("-edited +built:\n%s", diff)
	}
	if len(outs[0].Edits) == 0 {
		return
	}
	if _, err := k.build(t, outs, edited); err == nil {
		t.Error("patching what is patched already should fail the build")
	}
}

func (k kase) build(t *testing.T, outs []*Output, render string) (string, error) {
	t.Helper()
	fs := filesys.MakeFsInMemory()
	components := "components:\n"
	for i, out := range outs {
		files, err := Files(k.plugins[i], out, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			put(t, fs, f.Path, string(f.Content))
		}
		if len(k.plugins[i].Spec.Consumers) > 0 {
			components += "- ../" + ConsumersFolder + "/" + k.plugins[i].Metadata.Name + "\n"
		}
	}
	put(t, fs, "apps/render.yaml", render)
	put(t, fs, "apps/kustomization.yaml", "resources: [render.yaml]\n"+components)
	return kustomize(fs, "apps")
}

func put(t *testing.T, fs filesys.FileSystem, path, text string) {
	t.Helper()
	if err := fs.WriteFile(path, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func kustomize(fs filesys.FileSystem, dir string) (string, error) {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fs, dir)
	if err != nil {
		return "", err
	}
	text, err := built.AsYaml()
	return string(text), err
}

// decoded reads a stream by object, Lists opened as kustomize opens them.
func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	items, err := stream.ReadDocuments("x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for _, item := range items {
		node, err := item.Node()
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := node.YNode().Decode(&object); err != nil {
			t.Fatal(err)
		}
		if item.Kind != "List" {
			all[item.ID()] = object
			continue
		}
		for _, inner := range object["items"].([]any) {
			m := inner.(map[string]any)
			meta := m["metadata"].(map[string]any)
			id := []string{m["kind"].(string), ""}
			if ns, ok := meta["namespace"].(string); ok {
				id[1] = ns + "/"
			}
			all[strings.Join(id, " ")+meta["name"].(string)] = inner
		}
	}
	return all
}
