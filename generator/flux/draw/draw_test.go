package draw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/flux"
)

// picture reads a checkout whose entrypoint declares Kustomizations in one line each: name, then what is in its spec.
func picture(t *testing.T, lines ...string) Picture {
	t.Helper()
	dir := t.TempDir()
	for _, line := range lines {
		name, spec, _ := strings.Cut(line, " ")
		text := fmt.Sprintf("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: %s, namespace: flux-system}\nspec: {path: ./%s, sourceRef: {kind: GitRepository, name: flux-system}%s}\n", name, name, spec)
		for file, content := range map[string]string{"dev/" + name + ".yaml": text, name + "/a.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}\n"} {
			file = filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	c, err := flux.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	e, err := flux.Read(t.Context(), c, flux.Options{Path: "dev"})
	if err != nil {
		t.Fatal(err)
	}
	return Picture{Environment: e, Graph: e.Graph()}
}

var everything = []string{
	"a , dependsOn: [{name: b}]", "b , dependsOn: [{name: a}]", "idle , suspend: true", "late , dependsOn: [{name: idle}], wait: true",
	"a-name-that-is-so-long-that-a-line-cannot-hold-it-and-its-path , dependsOn: [{name: late}, {name: nowhere, readyExpr: 'true'}]",
}

func drawn(t *testing.T, format string, p Picture) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEveryFormatShowsWhatIsWrong(t *testing.T) {
	p := picture(t, everything...)
	stall := p.Graph.Stalls(flux.ID{Namespace: "flux-system", Name: "late"})
	stalled := p
	stalled.Stall = &stall
	for format, want := range map[string][]string{
		"text": {
			"cycle: flux-system/a, flux-system/b wait for one another", "after flux-system/idle (SUSPENDED)",
			"after flux-system/nowhere (MISSING, by its readyExpr)", "1 object, wait, BLOCKED", "after flux-system/b (CYCLE)",
		},
		"mermaid": {"flowchart TD", "-- cycle -->", "missing\"]:::missing", ":::broken", ":::suspended"},
		"dot":     {`digraph "dev" {`, "[color=red, label=cycle]", "style=dashed", "nowhere\\nmissing"},
		"json":    {`"state": "cycle"`, `"state": "missing"`, `"state": "suspended"`, `"blocked": true`, `"cycles": [`},
	} {
		got := drawn(t, format, p)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is missing:\n%s", format, w, got)
			}
		}
		if again := drawn(t, format, picture(t, everything...)); again != got {
			t.Errorf("%s: another run gives other bytes", format)
		}
		if drawn(t, format, stalled) == got {
			t.Errorf("%s: a stall makes no difference", format)
		}
	}
	if !json.Valid([]byte(drawn(t, "json", stalled))) {
		t.Error("the JSON is none")
	}
}

func TestTextFitsInto80Columns(t *testing.T) {
	p := picture(t, everything...)
	for line := range strings.Lines(drawn(t, "text", p)) {
		if line = strings.TrimRight(line, "\n"); len(line) > columns && strings.Contains(strings.TrimSpace(line), " ") && !strings.Contains(line, "so-long") {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

func TestCountsAreWords(t *testing.T) {
	for want, got := range map[string]string{
		"1 object": plural(1, "object"), "0 objects": plural(0, "object"), "2 references to variables": plural(2, "reference to variables"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
