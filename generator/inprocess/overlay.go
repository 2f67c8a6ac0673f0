package inprocess

import (
	"maps"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// overlay is a file system with files in memory in front of another one, which is only read.
type overlay struct {
	filesys.FileSystem
	files map[string][]byte
}

func newOverlay(below filesys.FileSystem) *overlay {
	return &overlay{FileSystem: below, files: map[string][]byte{}}
}

// with returns the overlay with more files, leaving it as it is.
func (o *overlay) with(files map[string][]byte) *overlay {
	all := maps.Clone(o.files)
	maps.Copy(all, files)
	return &overlay{FileSystem: o.FileSystem, files: all}
}

// ReadFile reads a file in memory, or one below. A file that was taken away is nil.
func (o *overlay) ReadFile(path string) ([]byte, error) {
	if content, found := o.files[filepath.Clean(path)]; found {
		if content == nil {
			return nil, &os.PathError{Op: "open", Path: path, Err: os.ErrNotExist}
		}
		return content, nil
	}
	return o.FileSystem.ReadFile(path)
}

// Exists says whether there is a file or directory.
func (o *overlay) Exists(path string) bool {
	content, found := o.files[filepath.Clean(path)]
	return found && content != nil || o.madeUp(path) || !found && o.FileSystem.Exists(path)
}

// IsDir says whether there is a directory.
func (o *overlay) IsDir(path string) bool { return o.madeUp(path) || o.FileSystem.IsDir(path) }

// CleanedAbs splits a path into its directory and, for a file, its name.
func (o *overlay) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	clean := filepath.Clean(path)
	if o.madeUp(clean) {
		return filesys.ConfirmedDir(clean), "", nil
	}
	if _, found := o.files[clean]; found && o.madeUp(filepath.Dir(clean)) {
		return filesys.ConfirmedDir(filepath.Dir(clean)), filepath.Base(clean), nil
	}
	return o.FileSystem.CleanedAbs(path)
}

// madeUp says whether a directory holds files in memory alone.
func (o *overlay) madeUp(path string) bool {
	clean := filepath.Clean(path)
	for file, content := range o.files {
		if content != nil && filepath.Dir(file) == clean && !o.FileSystem.Exists(clean) {
			return true
		}
	}
	return false
}
