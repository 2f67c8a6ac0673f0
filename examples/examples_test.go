// Package examples_test runs every example as it stands, with the real kustomize and, where it is installed, the real
// kpt.
package examples_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
)

// tools is a folder with berth, as it is in this tree, and kustomize.
var tools string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(withTools(m.Run))
}

func withTools(run func() int) int {
	dir, err := os.MkdirTemp("", "berth")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	tools = dir
	build := exec.Command("go", "build", "-o", dir, "../functions/berth")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	return run()
}

// kustomize returns the real one, which `make test` builds.
func kustomize(t *testing.T) string {
	t.Helper()
	path := os.Getenv("BERTH_KUSTOMIZE")
	if path == "" {
		t.Skip("SKIPPED: BERTH_KUSTOMIZE does not name a kustomize; `make test` builds one")
	}
	return path
}

// command runs a program in a folder, with berth first on the PATH.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+tools+":"+filepath.Dir(name)+":"+os.Getenv("PATH"), "NO_COLOR=1")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return out.String()
}

// objects decodes a stream by object, without what hosts add and what is only local.
func objects(t *testing.T, text string) map[string]any {
	t.Helper()
	items, err := stream.ReadDocuments("output", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for _, item := range items {
		if item.Annotations["config.kubernetes.io/local-config"] != "" {
			continue
		}
		node, err := item.Node()
		if err != nil {
			t.Fatal(err)
		}
		for key := range item.Annotations {
			if strings.Contains(key, "config.kubernetes.io/") || strings.Contains(key, "config.k8s.io/") {
				if err := node.PipeE(yaml.ClearAnnotation(key)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := yaml.ClearEmptyAnnotations(node); err != nil {
			t.Fatal(err)
		}
		var object any
		if err := node.YNode().Decode(&object); err != nil {
			t.Fatal(err)
		}
		all[item.ID()] = object
	}
	return all
}
