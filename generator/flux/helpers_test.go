package flux

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

// repository writes the files of a txtar archive to a folder and opens it.
func openText(t testing.TB, text string) *Checkout {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(text)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return openDir(t, dir)
}

func openDir(t testing.TB, dir string) *Checkout {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func readEnv(t testing.TB, c *Checkout, o Options) *Environment {
	t.Helper()
	e, err := Read(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func hasReason(k *Kustomization, reason Reason) bool {
	return slices.ContainsFunc(k.Problems, func(p Problem) bool { return p.Reason == reason })
}
