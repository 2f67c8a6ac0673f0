package harness

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Files are the files of a folder, by their paths with slashes.
type Files map[string]string

// ReadFiles reads what lies below folders of a root, under its path from the root; everything, where no folder is named.
func ReadFiles(t *testing.T, root string, folders ...string) Files {
	t.Helper()
	if len(folders) == 0 {
		folders = []string{"."}
	}
	files := Files{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, name)
			files[filepath.ToSlash(rel)] = string(text)
			return err
		})
		if err != nil {
			t.Fatalf("reading the files: %v", err)
		}
	}
	return files
}

// With returns the files with others added or replaced.
func (f Files) With(more Files) Files {
	all := maps.Clone(f)
	maps.Copy(all, more)
	return all
}

// Write writes the files into a new folder of the test.
func (f Files) Write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range f {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// archive packs the files as source-controller does, with nothing in it that differs from one run to the next.
func (f Files) archive() ([]byte, error) {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	out := tar.NewWriter(zip)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		header := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(f[name])), Typeflag: tar.TypeReg}
		if err := out.WriteHeader(header); err != nil {
			return nil, fmt.Errorf("packing %s: %w", name, err)
		}
		if _, err := out.Write([]byte(f[name])); err != nil {
			return nil, fmt.Errorf("packing %s: %w", name, err)
		}
	}
	if err := out.Close(); err != nil {
		return nil, fmt.Errorf("packing the files: %w", err)
	}
	if err := zip.Close(); err != nil {
		return nil, fmt.Errorf("packing the files: %w", err)
	}
	return b.Bytes(), nil
}
