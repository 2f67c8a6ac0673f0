package flux

import (
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/berth-dev/berth/generator/remote"
)

// view is what one build reads: an artifact, with the kustomization.yaml that the controller would have written. Nothing is
// written to the checkout, whatever kustomize asks for: its writes go to the embedded memory, which is thrown away.
type view struct {
	filesys.FileSystem
	checkout *Checkout
	artifact *artifact
	written  map[string][]byte // by path in the checkout
	reads    map[string]bool
	remote   []remoteRef
	refused  error // why a file was not handed out: kustomize takes an error for a missing file
}

func newView(c *Checkout, a *artifact) *view {
	return &view{
		FileSystem: filesys.MakeFsInMemory(), checkout: c, artifact: a,
		written: map[string][]byte{}, reads: map[string]bool{},
	}
}

// inside turns an absolute path into one of the checkout.
func (v *view) inside(name string) (string, bool) {
	rel, err := filepath.Rel(v.checkout.dir, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Exists implements filesys.FileSystem.
func (v *view) Exists(name string) bool {
	rel, ok := v.inside(name)
	return ok && (v.written[rel] != nil || v.artifact.isFile(rel) || v.artifact.isDir(rel))
}

// IsDir implements filesys.FileSystem.
func (v *view) IsDir(name string) bool {
	rel, ok := v.inside(name)
	return ok && v.artifact.isDir(rel)
}

// ReadDir implements filesys.FileSystem.
func (v *view) ReadDir(name string) ([]string, error) {
	rel, ok := v.inside(name)
	if !ok || !v.artifact.isDir(rel) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return slices.Sorted(slices.Values(v.artifact.children[rel])), nil
}

// CleanedAbs implements filesys.FileSystem.
func (v *view) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	abs, err := filepath.Abs(name)
	switch {
	case err != nil:
		return "", "", err
	case v.IsDir(abs):
		return filesys.ConfirmedDir(abs), "", nil
	case v.Exists(abs):
		return filesys.ConfirmedDir(filepath.Dir(abs)), filepath.Base(abs), nil
	}
	return "", "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadFile implements filesys.FileSystem. Remote bases are cut out of a kustomization.yaml on its way.
func (v *view) ReadFile(name string) ([]byte, error) {
	rel, ok := v.inside(name)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	content, ok := v.written[rel]
	if !ok {
		if !v.artifact.isFile(rel) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		var err error
		if content, err = v.checkout.read(v.artifact.inCheckout(rel)); err != nil {
			return nil, err
		}
	}
	if err := checkAnchors(v.artifact.inCheckout(rel), content); err != nil {
		v.refused = err
		return nil, err
	}
	if v.artifact.isFile(rel) {
		v.reads[v.artifact.inCheckout(rel)] = true
	}
	if !isKustomizationFile(path.Base(rel)) {
		if urls := remote.InPlugin(content); len(urls) > 0 {
			return nil, v.refuse(v.artifact.inCheckout(rel), urls[0])
		}
		return content, nil
	}
	return v.withoutRemotes(v.artifact.inCheckout(rel), content)
}

func (v *view) files() []string { return slices.Sorted(maps.Keys(v.reads)) }

// Local takes the checkout's place on this machine out of a message.
func (c *Checkout) Local(message string) string {
	return strings.ReplaceAll(strings.ReplaceAll(message, c.dir+string(filepath.Separator), ""), c.dir, ".")
}
