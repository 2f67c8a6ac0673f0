package render

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"

func TestEachSourceIsRead(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"file.yaml":                 configMap,
		"k/kustomization.yaml":      "resources: [all.yaml, ../file.yaml]\nnamespace: ns\n",
		"k/all.yaml":                "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n",
		"list.yaml":                 "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: A\n- kind: B\n",
		"old/Kustomization":         "resources: [all.yaml]\n",
		"old/all.yaml":              configMap,
		"remote/kustomization.yaml": "resources: [nothing-here]\n",
	})
	cases := map[string]string{
		"file.yaml": "ConfigMap a",
		"k":         "Service ns/s, ConfigMap ns/a",
		"list.yaml": "A , B ",
		"old":       "ConfigMap a",
		Stdin:       "ConfigMap a",
	}
	for source, want := range cases {
		t.Run(source, func(t *testing.T) {
			path := source
			if source != Stdin {
				path = filepath.Join(dir, source)
			}
			items, err := Read(path, strings.NewReader(configMap))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range items {
				got = append(got, item.ID())
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("got %v, want %s", got, want)
			}
		})
	}
	if _, err := Read(filepath.Join(dir, "remote"), nil); err == nil || !strings.Contains(err.Error(), "nothing-here") {
		t.Errorf("a resource that is not there: %v", err)
	}
}

// kustomize's library is not safe to run twice at a time; the race detector watches this test.
func TestManyBuildsAtATime(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"kustomization.yaml": "resources: [all.yaml]\n", "all.yaml": configMap})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if items, err := Build(dir); err != nil || len(items) != 1 {
				t.Errorf("%d items, %v", len(items), err)
			}
		})
	}
	all.Wait()
}
