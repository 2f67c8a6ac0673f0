package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// built stands in for a compiled program: the image does not care what is in it.
func built(t *testing.T, text string) []binary {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{
		{Path: "example.com/b", Version: "v1.0.0", Sum: "h1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
		{Path: "example.com/a", Version: "v0.0.0", Replace: &debug.Module{Path: "example.com/fork", Version: "v2.0.0"}},
	}}
	return []binary{
		{platform: v1.Platform{OS: "linux", Architecture: "amd64"}, file: file, info: info},
		{platform: v1.Platform{OS: "linux", Architecture: "arm", Variant: "v7"}, file: file, info: info},
	}
}

func of(t *testing.T, name, version string) options {
	t.Helper()
	these, err := chosen([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	return options{program: these[0], version: version}
}

func TestTheImageIsTheBinaryAndNothingElse(t *testing.T) {
	index, err := indexOf(of(t, "berth-device-plugin", "v1.2.3"), built(t, "program"))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(manifest.Manifests) != 2 || manifest.Manifests[1].Platform.String() != "linux/arm/v7" {
		t.Fatalf("got %+v", manifest.Manifests)
	}
	image, err := index.Image(manifest.Manifests[1].Digest)
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Architecture != "arm" || config.Variant != "v7" || config.Config.Entrypoint[0] != "/berth-device-plugin" || config.Config.User != "0:0" ||
		config.Config.Labels["org.opencontainers.image.version"] != "v1.2.3" || config.Config.Labels["org.opencontainers.image.source"] == "" ||
		config.Created.Unix() != 0 {
		t.Errorf("got %+v", config)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%d layers, %v", len(layers), err)
	}
	text, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(text)
	h, err := archive.Next()
	if err != nil || h.Name != "berth-device-plugin" || h.Mode != 0o755 || h.Uid != 0 || h.ModTime.Unix() != 0 {
		t.Errorf("got %+v, %v", h, err)
	}
	if _, err := archive.Next(); err != io.EOF {
		t.Errorf("there is more in the layer: %v", err)
	}
}

func TestTheSameBinariesMakeTheSameDigest(t *testing.T) {
	digest := func(text, version string) string {
		index, err := indexOf(of(t, "berth", version), built(t, text))
		if err != nil {
			t.Fatal(err)
		}
		d, err := index.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return d.String()
	}
	if a, b := digest("program", "v1"), digest("program", "v1"); a != b {
		t.Errorf("%s and %s", a, b)
	}
	if digest("program", "v1") == digest("another", "v1") || digest("program", "v1") == digest("program", "v2") {
		t.Error("another binary or version has the same digest")
	}
}

func TestTheSBOMListsEveryModuleWithItsChecksum(t *testing.T) {
	text, err := sbomOf(of(t, "berth-device-plugin", "v1.2.3"), v1.Hash{Algorithm: "sha256", Hex: "abc"}, built(t, "program"))
	if err != nil {
		t.Fatal(err)
	}
	var d spdxDocument
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(d.Packages))
	for _, p := range d.Packages {
		names = append(names, p.Name+"@"+p.Version)
	}
	if got := strings.Join(names, " "); got != "berth-device-plugin@v1.2.3 example.com/b@v1.0.0 example.com/fork@v2.0.0 stdlib@1.26.8" {
		t.Errorf("got %s", got)
	}
	if got := d.Packages[1].Checksum[0].Value; got != "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" {
		t.Errorf("checksum %s", got)
	}
	if len(d.Relationships) != 4 {
		t.Errorf("got %+v", d.Relationships)
	}
}

func TestVerifyingNamesTheFileThatDiffers(t *testing.T) {
	write := func(name, text string) string {
		dir := filepath.Join(t.TempDir(), "image")
		index, err := indexOf(of(t, "berth", "v1"), built(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if err := replaceLayout(dir, index); err != nil {
			t.Fatal(err)
		}
		if err := replaceLayout(dir, index); err != nil { // over what is there
			t.Fatal(err)
		}
		if err := os.WriteFile(sbomFile(dir), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	a, b := write("sbom", "program"), write("sbom", "program")
	if err := compare(a, b); err != nil {
		t.Error(err)
	}
	if err := compare(a, write("sbom", "another")); err == nil || !strings.Contains(err.Error(), "is not what the source makes") {
		t.Errorf("another binary: %v", err)
	}
	if err := compare(a, write("another", "program")); err == nil || !strings.Contains(err.Error(), ".spdx.json is not what the source makes") {
		t.Errorf("another SBOM: %v", err)
	}
	if index, err := layout.ImageIndexFromPath(a); err != nil {
		t.Error(err)
	} else if m, err := index.IndexManifest(); err != nil || len(m.Manifests) != 1 {
		t.Errorf("the layout has %+v, %v", m, err)
	}
}

func TestWrongArgumentsAreSaid(t *testing.T) {
	for want, args := range map[string][]string{
		"-version: say which version this is":    {},
		`platform "a/b/c/d": `:                   {"-version=v1", "-platforms=a/b/c/d", "-out=" + t.TempDir()},
		"berth: building for linux/none: ":       {"-version=v1", "-platforms=linux/none", "-source=../..", "-out=" + t.TempDir()},
		`"bert" is no program: there are berth,`: {"-version=v1", "bert"},
		"there is nothing to compare with: stat": {"-version=v1", "-verify", "-out=/does/not/exist"},
	} {
		if err := run(context.Background(), args, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v", args, err)
		}
	}
}

func TestNothingOfTheMachineReachesTheCompiler(t *testing.T) {
	for name, value := range map[string]string{"GOFLAGS": "-race", "GOAMD64": "v3", "GOEXPERIMENT": "x", "CGO_ENABLED": "1", "GOWORK": "/w"} {
		t.Setenv(name, value)
	}
	env := strings.Join(environ(v1.Platform{OS: "linux", Architecture: "amd64"}, ""), "\n") + "\n"
	for _, want := range []string{"GOFLAGS=\n", "GOAMD64=v1\n", "GOEXPERIMENT=\n", "CGO_ENABLED=0\n", "GOWORK=off\n"} {
		if !strings.Contains(env, want) || strings.Count(env, want[:strings.IndexByte(want, '=')+1]) != 1 {
			t.Errorf("%q is not the one value in\n%s", want, env)
		}
	}
	if env := environ(v1.Platform{OS: "linux", Architecture: "arm", Variant: "v7"}, ""); env[len(env)-1] != "GOARM=7" {
		t.Errorf("got %s", env[len(env)-1])
	}
}
