package flux

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Checkout is a Git working tree, seen as source-controller archives it: what .sourceignore and Flux's own defaults exclude
// is not there, and neither are symbolic links. It is read, never written to, and nothing outside of it is read.
type Checkout struct {
	dir       string // absolute, without symbolic links
	root      *os.Root
	all       *artifact
	read      func(name string) ([]byte, error)
	documents func(name string) []document
	originURL func() string

	mu     sync.Mutex
	narrow map[string]*artifact
}

// Open reads the list of files below a folder, which should be the root of a Git repository.
func Open(dir string) (*Checkout, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open checkout %s: %w", dir, err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, fmt.Errorf("open checkout %s: %w", dir, err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open checkout %s: %w", dir, err)
	}
	all, err := archive(root)
	if err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("open checkout %s: %w", dir, err)
	}
	c := &Checkout{dir: abs, root: root, all: all, narrow: map[string]*artifact{}}
	c.read = memoize(c.readFile)
	c.documents = memoize1(c.readDocuments)
	c.originURL = sync.OnceValue(c.readOriginURL)
	return c, nil
}

// Close lets go of the folder. What was read stays valid; lines of objects that nobody asked for yet become 0.
func (c *Checkout) Close() error { return c.root.Close() }

// StandFor makes the checkout an older state of another one: it has the same remote.
func (c *Checkout) StandFor(other *Checkout) { c.originURL = other.originURL }

// Files returns the paths of the files that Flux sees, sorted.
func (c *Checkout) Files() []string { return slices.Clone(c.all.files) }

// IsDir says whether Flux sees a folder of that path; "." is the root.
func (c *Checkout) IsDir(name string) bool { return c.all.isDir(name) }

// ReadFile returns the content of a file that Flux sees. The content must not be changed.
func (c *Checkout) ReadFile(name string) ([]byte, error) {
	if !c.all.isFile(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return c.read(name)
}

func (c *Checkout) readFile(name string) ([]byte, error) {
	return c.root.ReadFile(filepath.FromSlash(name))
}

// artifact returns the checkout without what a GitRepository's spec.ignore excludes.
func (c *Checkout) artifact(ignore string) *artifact {
	if ignore == "" {
		return c.all
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.narrow[ignore] == nil {
		c.narrow[ignore] = c.all.without(ignore)
	}
	return c.narrow[ignore]
}

// memoize keeps what a function read.
func memoize[V any](f func(string) (V, error)) func(string) (V, error) {
	type result struct {
		value V
		err   error
	}
	kept := memoize1(func(name string) result {
		value, err := f(name)
		return result{value, err}
	})
	return func(name string) (V, error) {
		r := kept(name)
		return r.value, r.err
	}
}

func memoize1[V any](f func(string) V) func(string) V {
	var mu sync.Mutex
	kept := map[string]V{}
	return func(name string) V {
		mu.Lock()
		defer mu.Unlock()
		value, ok := kept[name]
		if !ok {
			value = f(name)
			kept[name] = value
		}
		return value
	}
}
