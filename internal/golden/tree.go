package golden

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// CheckTree fails the test when the files below dir are not the ones that the test got, by their slash-separated paths
// below dir. With -update it replaces the folder.
func CheckTree(t testing.TB, dir string, got map[string]string) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		for name, text := range got {
			write(t, filepath.Join(dir, name), []byte(text))
		}
		return
	}
	if diff := cmp.Diff(readTree(t, dir), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", dir, diff)
	}
}

func readTree(t testing.TB, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		tree[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatalf("%v: run the test with -update to make it", err)
	}
	return tree
}
