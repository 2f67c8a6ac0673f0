package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/berth-dev/berth/generator/bundle"
)

// Options say what Write may do beyond what is Berth's, and of this run.
type Options struct {
	// Force lets it overwrite files that Berth did not write, or wrote for other intents too.
	Force bool
	// Prune lets it remove the files of intents that do not take part in this run.
	Prune bool
}

// Write carries out what Compare found: it writes what is missing or differs, then removes what is stale, as far as the
// options let it. On an error every file is either as it was or as it should be. Two runs at a time wait for each other
// here, but each carries out what it has compared: the later one wins.
func Write(dir string, files []bundle.File, changes []Change, options Options) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	w := writer{root: root, states: map[string]State{}, options: options}
	for _, c := range changes {
		w.states[c.Path] = c.State
	}
	unlock, err := lock(root)
	if err == nil {
		err = w.write(files)
		if err == nil {
			err = w.remove(changes)
		}
		unlock()
	}
	if err = errors.Join(err, root.Close()); err != nil {
		return fmt.Errorf("write %s: %w", dir, err)
	}
	return nil
}

type writer struct {
	root    *os.Root
	states  map[string]State
	options Options
}

func (w *writer) write(files []bundle.File) (err error) {
	var staged []bundle.File
	defer func() {
		if err != nil {
			for _, file := range staged {
				_ = w.root.Remove(temp(file.Path)) // what was renamed is gone from here; the first error is the one to tell
			}
		}
	}()
	for _, file := range files {
		if !w.due(file.Path) {
			continue
		}
		staged = append(staged, file)
		if err = w.stage(file); err != nil {
			return err
		}
	}
	for _, file := range staged {
		if err = w.root.Rename(temp(file.Path), file.Path); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) due(name string) bool {
	state := w.states[name]
	return state == Missing || state == Differs || state == Foreign && w.options.Force
}

// stage writes a file beside its place and makes sure that it has reached the disk.
func (w *writer) stage(file bundle.File) error {
	if err := w.root.MkdirAll(path.Dir(file.Path), 0o755); err != nil {
		return err
	}
	name := temp(file.Path)
	if err := w.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, file.Mode)
	if err != nil {
		return err
	}
	_, err = out.Write(file.Content)
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// remove takes away what is stale, and the folders that become empty by it.
func (w *writer) remove(changes []Change) error {
	for _, c := range changes {
		if c.State != Stale && c.State != partial && (c.State != Left || !w.options.Prune) {
			continue
		}
		if err := w.root.Remove(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for dir := path.Dir(c.Path); dir != "."; dir = path.Dir(dir) {
			if w.root.Remove(dir) != nil {
				break // it still holds something
			}
		}
	}
	return nil
}
