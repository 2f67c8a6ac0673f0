package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const digest = "sha256:00000000000000000000000000000000000000000000000000000000000000aa"

// pinning writes files, holds them against the digest, and gives the error and the first file.
func pinning(t *testing.T, write bool, texts ...string) (string, string) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := ""
	if err := (pins{folders: []string{dir}, write: write}).hold("berth", "v1.2.3", digest); err != nil {
		said = strings.ReplaceAll(err.Error(), dir, "DIR")
	}
	text, err := os.ReadFile(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	return said, string(text)
}

func TestPins(t *testing.T) {
	const right = "image: ghcr.io/berth-dev/berth:v1.2.3@" + digest + "\n"
	const wrong = "---\nimage: ghcr.io/berth-dev/berth:v1.2.3@sha256:bb # why\n"
	const advice = ": the source makes " + digest + ": run make image-pin"
	for name, c := range map[string]struct {
		write       bool
		texts       []string
		said, first string
	}{
		"the digest that comes out is pinned": {false, []string{right}, "", right},
		"every place with another digest is named": {
			false, []string{wrong, right, wrong},
			"DIR/a:2: ghcr.io/berth-dev/berth:v1.2.3@sha256:bb" + advice + "\nDIR/c:2: ghcr.io/berth-dev/berth:v1.2.3@sha256:bb" + advice, wrong,
		},
		"a tag without a digest is not pinned": {
			false, []string{"ghcr.io/berth-dev/berth:v1.2.3\n"}, "DIR/a:1: ghcr.io/berth-dev/berth:v1.2.3" + advice, "ghcr.io/berth-dev/berth:v1.2.3\n",
		},
		"pinning writes the digest and keeps the rest": {true, []string{wrong, right}, "", "---\n" + right[:len(right)-1] + " # why\n"},
		"another version and another image are not looked at": {
			false, []string{"ghcr.io/berth-dev/berth:v1.2.30 ghcr.io/berth-dev/berth-device-plugin:v1.2.3"},
			"nothing in DIR pins ghcr.io/berth-dev/berth:v1.2.3", "ghcr.io/berth-dev/berth:v1.2.30 ghcr.io/berth-dev/berth-device-plugin:v1.2.3",
		},
	} {
		t.Run(name, func(t *testing.T) {
			said, first := pinning(t, c.write, c.texts...)
			if said != c.said {
				t.Errorf("said %q\nwant %q", said, c.said)
			}
			if first != c.first {
				t.Errorf("the file is %q, want %q", first, c.first)
			}
		})
	}
}
