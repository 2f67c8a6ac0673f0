package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A folder that is missing from a program's list would be missing from the copy that -verify builds.
func TestTheSourceOfAProgramIsAllThatItImports(t *testing.T) {
	for _, p := range programs() {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Module", p.mainPackage)
		cmd.Dir = "../.."
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
			var imported struct {
				ImportPath string
				Module     *struct{ Main bool }
			}
			if err := dec.Decode(&imported); err != nil {
				t.Fatal(err)
			}
			if imported.Module == nil || !imported.Module.Main {
				continue
			}
			path := strings.TrimPrefix(imported.ImportPath, "github.com/berth-dev/berth/")
			if folder, _, _ := strings.Cut(path, "/"); !slices.Contains(p.source, folder) {
				t.Errorf("%s imports %s, which is not in its source", p.name, path)
			}
		}
	}
}

func TestTheImageOfBerthIsNotRootsAndListensNowhere(t *testing.T) {
	index, err := indexOf(of(t, "berth", "v1"), built(t, "program"))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if got := manifest.Annotations["org.opencontainers.image.title"]; got != "berth" {
		t.Errorf("the index is annotated %q", got)
	}
	for _, m := range manifest.Manifests {
		image, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		c := config.Config
		if c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/berth"}) || len(c.Cmd)+len(c.ExposedPorts)+len(c.Env) > 0 {
			t.Errorf("%s: got %+v", m.Platform, c)
		}
	}
}
