package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// witness stands for a test that may fail.
type witness struct {
	testing.TB
	said string
}

func (w *witness) Helper() {}

func (w *witness) Errorf(format string, args ...any) { w.said += fmt.Sprintf(format, args...) }

func (w *witness) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	panic(w)
}

func said(file, got string) string {
	w := &witness{}
	func() {
		defer func() { _ = recover() }()
		Check(w, file, got)
	}()
	return w.said
}

func TestATextThatDiffersFromItsFileFailsTheTest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "case", "out.txt")
	if text := said(file, "a\n"); !strings.Contains(text, "run the test with -update") {
		t.Errorf("a file that is missing: %q", text)
	}
	write(t, file, []byte("a\n"))
	if text := said(file, "a\n"); text != "" {
		t.Errorf("the same text: %q", text)
	}
	if text := said(file, "b\n"); !strings.Contains(text, file+" differs") {
		t.Errorf("another text: %q", text)
	}
}

func TestATreeWithAFileMoreOrLessFailsTheTest(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a/b"), []byte("x"))
	for name, tree := range map[string]map[string]string{
		"":                  {"a/b": "x"},
		"a file is missing": {"a/b": "x", "c": "y"},
		"a file too many":   {},
		"another text":      {"a/b": "y"},
	} {
		w := &witness{}
		CheckTree(w, dir, tree)
		if (w.said != "") != (name != "") {
			t.Errorf("%s: %q", name, w.said)
		}
	}
}

func TestUpdateWritesWhatTheTestGot(t *testing.T) {
	*update = true
	defer func() { *update = false }()
	file := filepath.Join(t.TempDir(), "case", "out.txt")
	Check(t, file, []byte("a\n"))
	if text, err := os.ReadFile(file); err != nil || string(text) != "a\n" {
		t.Errorf("%q, %v", text, err)
	}
	write(t, filepath.Join(filepath.Dir(file), "old"), nil)
	CheckTree(t, filepath.Dir(file), map[string]string{"new/b": "b"})
	*update = false
	CheckTree(t, filepath.Dir(file), map[string]string{"new/b": "b"})
}
