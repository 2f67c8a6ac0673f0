package flux

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

// artifact is the list of what an archive of source-controller holds. It archives regular files and folders only, minus
// what .sourceignore files, spec.ignore and its own defaults exclude (fluxcd/source-controller: storage.Archive,
// SourceIgnoreFilter).
type artifact struct {
	files     []string            // sorted
	children  map[string][]string // by folder; "." is the root
	isRegular map[string]bool
	patterns  []gitignore.Pattern
	// real says where the files are in the checkout, when an ArtifactGenerator put them elsewhere; nil otherwise.
	real map[string]string
}

// inCheckout returns where a file of the artifact is in the checkout. What is not in the artifact, such as a
// kustomization.yaml that the controller adds, stays where it is.
func (a *artifact) inCheckout(name string) string {
	if file, ok := a.real[name]; ok {
		return file
	}
	return name
}

// folder returns where a folder of the artifact is in the checkout; false when it was put together from several.
func (a *artifact) folder(dir string) (string, bool) {
	if a.real == nil {
		return dir, true
	}
	found := ""
	for _, file := range a.files {
		if !within(file, dir) {
			continue
		}
		at, ok := strings.CutSuffix(a.real[file], below(file, dir))
		if !ok || at != "" && !strings.HasSuffix(at, "/") || found != "" && found != path.Join(at, ".") {
			return "", false
		}
		found = path.Join(at, ".")
	}
	return found, found != ""
}

func archive(root *os.Root) (*artifact, error) {
	var files, dirs []string
	var patterns []gitignore.Pattern
	err := fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.IsDir():
			dirs = append(dirs, name)
		case entry.Type().IsRegular():
			files = append(files, name)
		}
		if entry.Name() == sourceignore.IgnoreFile && entry.Type().IsRegular() {
			text, err := root.ReadFile(name)
			patterns = append(patterns, sourceignore.ReadPatterns(bytes.NewReader(text), domain(path.Dir(name)))...)
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return newArtifact(files, dirs, patterns), nil
}

func newArtifact(files, dirs []string, patterns []gitignore.Pattern) *artifact {
	a := &artifact{children: map[string][]string{".": nil}, isRegular: map[string]bool{}, patterns: patterns}
	matcher := sourceignore.NewDefaultMatcher(patterns, nil)
	for _, dir := range dirs {
		if dir != "." && !matcher.Match(strings.Split(dir, "/"), true) {
			a.addDir(dir)
		}
	}
	for _, file := range files {
		if !matcher.Match(strings.Split(file, "/"), false) {
			a.addFile(file)
		}
	}
	slices.Sort(a.files)
	return a
}

func (a *artifact) addDir(dir string) {
	if _, ok := a.children[dir]; ok {
		return
	}
	a.children[dir] = nil
	a.addDir(path.Dir(dir)) // a file makes its folders when the archive is unpacked
	a.children[path.Dir(dir)] = append(a.children[path.Dir(dir)], path.Base(dir))
}

func (a *artifact) addFile(file string) {
	a.addDir(path.Dir(file))
	a.files = append(a.files, file)
	a.isRegular[file] = true
	a.children[path.Dir(file)] = append(a.children[path.Dir(file)], path.Base(file))
}

// without returns the artifact that further patterns, as in a GitRepository's spec.ignore, leave over.
func (a *artifact) without(ignore string) *artifact {
	patterns := slices.Concat(a.patterns, sourceignore.ReadPatterns(strings.NewReader(ignore), nil))
	dirs := make([]string, 0, len(a.children))
	for dir := range a.children {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	return newArtifact(a.files, dirs, patterns)
}

func (a *artifact) isFile(name string) bool { return a.isRegular[name] }

func (a *artifact) isDir(name string) bool {
	_, ok := a.children[name]
	return ok
}

// below returns a file's path from one of its folders on.
func below(file, dir string) string {
	if dir == "." {
		return file
	}
	return strings.TrimPrefix(file, dir+"/")
}

func domain(dir string) []string {
	if dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}
