package k3s

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/internal/golden"
)

// Each folder of testdata/effective is a case: root is the file system, start.service or start.sh how k3s is started
// (or else the units below root), role the role where nothing says it, want.json the reports.
func TestEffectiveTaintsOfEachCase(t *testing.T) {
	dirs, err := filepath.Glob("testdata/effective/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			golden.Check(t, filepath.Join(dir, "want.json"), reportsOf(t, os.DirFS(dir)))
		})
	}
}

func reportsOf(t *testing.T, dir fs.FS) []byte {
	t.Helper()
	root, err := fs.Sub(dir, "root")
	if err != nil {
		t.Fatal(err)
	}
	in := Input{FS: root, Distribution: v1alpha1.K3s}
	if exists(root, "etc/rancher/rke2") {
		in.Distribution = v1alpha1.RKE2
	}
	role, _ := fs.ReadFile(dir, "role")
	in.Role = Role(strings.TrimSpace(string(role)))
	sites, err := Discover(root, in.Distribution)
	if err != nil {
		t.Fatal(err)
	}
	in.Site = sites[0]
	reports, err := EffectiveOf(in, startsOf(t, dir, root, in.Distribution))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(reports); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func startsOf(t *testing.T, dir, root fs.FS, d v1alpha1.Distribution) []*Start {
	t.Helper()
	fsys, names := root, Units(root, d)
	for _, name := range []string{"start.service", "start.sh"} {
		if exists(dir, name) {
			fsys, names = dir, []string{name}
		}
	}
	var starts []*Start
	for _, name := range names {
		start, err := ReadStart(fsys, name, name, d)
		if err != nil {
			t.Fatal(err)
		}
		starts = append(starts, start)
	}
	return starts
}
