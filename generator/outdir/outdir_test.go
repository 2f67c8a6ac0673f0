package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/header"
)

func ours(path, text string, intents ...string) bundle.File {
	return bundle.File{Path: path, Content: []byte(header.New("a test", intents) + text), Mode: 0o644}
}

func put(t *testing.T, dir, path, text string) {
	t.Helper()
	full := filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// contents lists a directory: path and the last line of each file.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		all[path] = lines[len(lines)-1]
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func states(changes []Change) map[string]State {
	all := map[string]State{}
	for _, c := range changes {
		all[c.Path] = c.State
	}
	return all
}

func TestEachStateOfAPath(t *testing.T) {
	dir := t.TempDir()
	files := []bundle.File{
		ours("component/same.yaml", "s\n", "home"),
		ours("component/differs.yaml", "new\n", "home"),
		ours("component/foreign.yaml", "f\n", "home"),
		ours("component/others.yaml", "o\n", "home"),
		ours("component/shared.yaml", "new\n", "home"),
		ours("component/missing.yaml", "m\n", "home"),
	}
	put(t, dir, "component/same.yaml", string(files[0].Content))
	put(t, dir, "component/differs.yaml", string(ours("", "old\n", "home").Content))
	put(t, dir, "component/shared.yaml", string(ours("", "old\n", "home", "other").Content))
	put(t, dir, "component/notes.berth-tmp", "mine\n")
	put(t, dir, ".taint-nodes.sh.berth-tmp", "half a fi")
	put(t, dir, "component/foreign.yaml", "mine\n")
	put(t, dir, "component/others.yaml", string(ours("", "x\n", "other").Content))
	put(t, dir, "k3s/gone/config.yaml.d/90.yaml", string(ours("", "x\n", "home").Content))
	put(t, dir, "k3s/kept/config.yaml.d/90.yaml", string(ours("", "x\n", "other").Content))
	put(t, dir, "k3s/mine/config.yaml.d/10.yaml", "x\n")
	put(t, dir, "record/.home.yaml.berth-tmp", "half a fi")
	put(t, dir, "elsewhere/ours.yaml", string(ours("", "x\n", "home").Content))

	changes, err := Compare(dir, files, []string{"home"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]State{
		"component/same.yaml": Same, "component/differs.yaml": Differs, "component/foreign.yaml": Foreign,
		"component/others.yaml": Foreign, "component/shared.yaml": Foreign, "component/missing.yaml": Missing,
		".taint-nodes.sh.berth-tmp":      partial,
		"k3s/gone/config.yaml.d/90.yaml": Stale, "k3s/kept/config.yaml.d/90.yaml": Left, "record/.home.yaml.berth-tmp": partial,
	}
	if diff := cmp.Diff(want, states(changes)); diff != "" {
		t.Fatal(diff)
	}

	if err := Write(dir, files, changes, Options{}); err != nil {
		t.Fatal(err)
	}
	after := map[string]string{
		"component/same.yaml": "s", "component/differs.yaml": "new", "component/foreign.yaml": "mine", "component/others.yaml": "x",
		"component/shared.yaml": "old", "component/notes.berth-tmp": "mine", "component/missing.yaml": "m", "k3s/kept/config.yaml.d/90.yaml": "x", "k3s/mine/config.yaml.d/10.yaml": "x", "elsewhere/ours.yaml": "x",
	}
	if diff := cmp.Diff(after, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(dir, "k3s/gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the folders of a removed file should be gone")
	}
}

func TestForceReplacesAForeignFile(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "component/a.yaml", "mine\n")
	files := []bundle.File{ours("component/a.yaml", "new\n", "home")}
	changes, err := Compare(dir, files, []string{"home"})
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, files, changes, Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, dir)["component/a.yaml"]; got != "new" {
		t.Errorf("holds %q", got)
	}
}

func TestPruneRemovesTheFilesOfOtherIntents(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "k3s/gone/config.yaml.d/90.yaml", string(ours("", "x\n", "other").Content))
	changes, err := Compare(dir, nil, []string{"home"})
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, nil, changes, Options{Prune: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{}, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestManyRunsAtATimeAllSucceed(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			files := []bundle.File{ours("component/a.yaml", fmt.Sprintf("%d\n", i), "home"), ours("component/b.yaml", fmt.Sprintf("%d\n", i), "home")}
			changes, err := Compare(dir, files, []string{"home"})
			if err == nil {
				err = Write(dir, files, changes, Options{})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := contents(t, dir); len(got) != 2 || got["component/a.yaml"] != got["component/b.yaml"] {
		t.Errorf("left %v", got)
	}
}

func TestAFolderInTheWayOfAFileIsSaid(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "taint-nodes.sh/x", "x\n")
	_, err := Compare(dir, []bundle.File{ours("taint-nodes.sh", "x\n", "home")}, []string{"home"})
	if err == nil || !strings.Contains(err.Error(), "a folder stands where a file belongs") {
		t.Error(err)
	}
}

// The second file cannot be staged, since a folder stands where its temporary name would be and is not empty: what the
// first one held must stand.
func TestAnInterruptedWriteLeavesEveryFileAsItWas(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "component/a.yaml", string(ours("", "old\n", "home").Content))
	put(t, dir, "component/.b.yaml.berth-tmp/in-the-way", "x\n")
	files := []bundle.File{ours("component/a.yaml", "new\n", "home"), ours("component/b.yaml", "new\n", "home")}
	changes, err := Compare(dir, files, []string{"home"})
	if err != nil {
		t.Fatal(err)
	}
	err = Write(dir, files, changes, Options{})
	if err == nil || !strings.Contains(err.Error(), "component/.b.yaml.berth-tmp") {
		t.Fatalf("got %v", err)
	}
	want := map[string]string{"component/a.yaml": "old", "component/.b.yaml.berth-tmp/in-the-way": "x"}
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestAScriptThatIsNotExecutableDiffers(t *testing.T) {
	dir := t.TempDir()
	script := bundle.File{Path: "taint-nodes.sh", Content: []byte("#!/bin/sh\n" + header.New("a test", []string{"home"})), Mode: 0o755}
	put(t, dir, script.Path, string(script.Content))
	for _, want := range []State{Differs, Same} {
		changes, err := Compare(dir, []bundle.File{script}, []string{"home"})
		if err != nil {
			t.Fatal(err)
		}
		if got := changes[0].State; got != want {
			t.Errorf("is %s, want %s", got, want)
		}
		if err := Write(dir, []bundle.File{script}, changes, Options{}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAFolderThatDoesNotExistIsAnEmptyOne(t *testing.T) {
	files := []bundle.File{ours("component/a.yaml", "a\n", "home")}
	changes, err := Compare(filepath.Join(t.TempDir(), "none"), files, []string{"home"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]State{"component/a.yaml": Missing}, states(changes)); diff != "" {
		t.Error(diff)
	}
}
