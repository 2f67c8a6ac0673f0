package daemonset

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/internal/golden"
)

// kase is what a case's folder holds: plugin.yaml with one or more plugins, and where they matter intent.yaml,
// evidence.yaml and render.yaml. Beside them stands what comes out: findings.txt, files.txtar and edited.yaml.
type kase struct {
	dir      string
	plugins  []*v1alpha1.DevicePlugin
	intents  []*v1alpha1.TaintIntent
	evidence []*v1alpha1.DeviceEvidence
	render   string
}

func readCase(t *testing.T, dir string) kase {
	t.Helper()
	k := kase{dir: dir}
	var err error
	if k.plugins, err = v1alpha1.ReadDevicePlugins("plugin.yaml", []byte(readFile(t, dir, "plugin.yaml"))); err != nil {
		t.Fatal(err)
	}
	if text := readFile(t, dir, "intent.yaml"); text != "" {
		if k.intents, err = v1alpha1.ReadTaintIntents("intent.yaml", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if text := readFile(t, dir, "evidence.yaml"); text != "" {
		if k.evidence, err = v1alpha1.ReadDeviceEvidence("evidence.yaml", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	k.render = readFile(t, dir, "render.yaml")
	return k
}

// generate runs every plugin of the case on a render.
func (k kase) generate(t *testing.T, render string) ([]*Output, []*stream.Item) {
	t.Helper()
	var items []*stream.Item
	if render != "" {
		var err error
		if items, err = stream.ReadDocuments("render.yaml", []byte(render)); err != nil {
			t.Fatal(err)
		}
	}
	var outs []*Output
	for _, plugin := range k.plugins {
		out, err := Generate(plugin, Input{Intents: k.intents, Evidence: k.evidence, Others: k.plugins, Items: items})
		if err != nil {
			t.Fatal(err)
		}
		outs = append(outs, out)
	}
	return outs, items
}

func findings(outs []*Output) ([]finding.Finding, string) {
	var all []finding.Finding
	var text strings.Builder
	for _, out := range outs {
		for _, f := range out.Findings {
			all = append(all, f)
			fmt.Fprintln(&text, f)
		}
	}
	return all, text.String()
}

func TestCases(t *testing.T) {
	for _, dir := range caseDirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			k := readCase(t, dir)
			outs, items := k.generate(t, k.render)
			found, text := findings(outs)
			golden.Check(t, filepath.Join(dir, "findings.txt"), text)
			if finding.HasErrors(found) {
				return // nobody may use what came out
			}
			golden.Check(t, filepath.Join(dir, "files.txtar"), string(txtar.Format(archive(t, k, outs))))
			if k.render != "" {
				edited := encoded(t, items)
				golden.Check(t, filepath.Join(dir, "edited.yaml"), edited)
				t.Run("a second run changes nothing", func(t *testing.T) { k.again(t, edited) })
				t.Run("patches do the same as the edits", func(t *testing.T) { k.patched(t, outs, edited) })
			}
		})
	}
}

func (k kase) again(t *testing.T, edited string) {
	outs, items := k.generate(t, edited)
	if found, text := findings(outs); finding.HasErrors(found) {
		t.Errorf("errors in the second run:\n%s", text)
	}
	for _, out := range outs {
		if len(out.Edits) != 0 {
			t.Errorf("%d edits in the second run", len(out.Edits))
		}
	}
	if diff := cmp.Diff(edited, encoded(t, items)); diff != "" {
		t.Error(diff)
	}
}

func archive(t *testing.T, k kase, outs []*Output) *txtar.Archive {
	t.Helper()
	a := &txtar.Archive{}
	for i, out := range outs {
		files, err := Files(k.plugins[i], out, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			a.Files = append(a.Files, txtar.File{Name: f.Path, Data: f.Content})
		}
	}
	return a
}

func caseDirs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*/plugin.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	dirs := make([]string, len(files))
	for i, file := range files {
		dirs[i] = filepath.Dir(file)
	}
	return dirs
}

func encoded(t *testing.T, items []*stream.Item) string {
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

// readFile returns nothing for a file that is not there.
func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}
