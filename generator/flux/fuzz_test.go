package flux

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fluxcd/pkg/envsubst"
)

// Whatever stands in a text, finding its variables does not fail, and every variable that the controller's own replacement
// asks for is found.
func FuzzUses(f *testing.F) {
	for _, seed := range []string{"", "${A}", "$${A}", "${A:=${B}}", "${A", "${", "$", "${#A}", "${A/b/${C}}", "${A:1:2}", "a: $${B} ${A^^}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			t.Skip("the parser recurses")
		}
		found := map[string]bool{}
		for _, use := range usesOf(text) {
			found[use.Name] = true
		}
		_, _ = envsubst.Eval(text, func(name string) (string, bool) {
			if name != "" && !found[name] {
				t.Errorf("%q: %q is not found", text, name)
			}
			return "x", true
		})
	})
}

// A checkout may hold any bytes: it is read, or refused with data, and nothing panics.
func FuzzCheckout(f *testing.F) {
	f.Add([]byte("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec: {path: ./dev, sourceRef: {kind: GitRepository, name: flux-system}}\n"), []byte("resources: [a.yaml]\n"))
	f.Add([]byte("a: &a [*a]"), []byte("resources: [../dev]"))
	f.Add([]byte("kind: List\nitems: [{kind: ConfigMap}]"), []byte("patches: [{patch: |-\n  x\n}]"))
	f.Add([]byte("apiVersion: v1\nkind: ConfigMap\nmetadata: null"), []byte("openapi: {path: a.yaml}"))
	f.Fuzz(func(t *testing.T, object, kustomization []byte) {
		dir := t.TempDir()
		for name, text := range map[string][]byte{"dev/a.yaml": object, "dev/kustomization.yaml": kustomization, "plain/a.yaml": object} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c := openDir(t, dir)
		Discover(c)
		for _, path := range []string{"dev", "plain"} {
			e := readEnv(t, c, Options{Path: path})
			g := e.Graph()
			for _, n := range g.Nodes {
				g.Stalls(n.ID)
				if !n.Built && len(n.Problems) == 0 {
					t.Errorf("%s is not built, and nothing says why", n.ID)
				}
			}
			for o := range e.Objects() {
				o.Source()
			}
		}
	})
}
