package outdir

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/header"
)

// State is how a path of the directory stands to the bundle.
type State string

// The states of a path.
const (
	Missing State = "missing" // to be written
	Differs State = "differs" // Berth's, with another content
	Same    State = "same"
	Foreign State = "foreign" // not Berth's, or written for other intents
	Stale   State = "stale"   // Berth's, and no longer part of the bundle
	Left    State = "left"    // Berth's, for intents of another run
	partial State = "partial" // what an interrupted run left behind
)

// Change is the state of one path.
type Change struct {
	Path  string
	State State
	// Intents are those that the file there was written for, if it is Berth's.
	Intents []string
}

// folders are where a bundle's files are looked for when they may have become stale.
var folders = []string{"component", "consumers", "helm-values", "k3s", "record", "rke2", "taint-nodes.sh", temp("taint-nodes.sh")}

// Compare says how a directory stands to a bundle made for the named intents, sorted by path. A directory that does not
// exist is an empty one.
func Compare(dir string, files []bundle.File, intents []string) ([]Change, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return allMissing(files), nil
	}
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing was written
	var changes []Change
	wanted := map[string]bool{}
	for _, file := range files {
		wanted[file.Path] = true
		change, err := compareOne(root, file, intents)
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", path.Join(dir, file.Path), err)
		}
		changes = append(changes, change)
	}
	more, err := unwanted(root, places(files), wanted, intents)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", dir, err)
	}
	changes = append(changes, more...)
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes, nil
}

func allMissing(files []bundle.File) []Change {
	changes := make([]Change, 0, len(files))
	for _, file := range files {
		changes = append(changes, Change{Path: file.Path, State: Missing})
	}
	return changes
}

func compareOne(root *os.Root, file bundle.File, intents []string) (Change, error) {
	change := Change{Path: file.Path}
	info, err := root.Stat(file.Path)
	if errors.Is(err, fs.ErrNotExist) {
		change.State = Missing
		return change, nil
	}
	if err != nil {
		return change, err
	}
	if info.IsDir() {
		return change, errors.New("a folder stands where a file belongs; move it, or choose another folder to write to")
	}
	have, err := root.ReadFile(file.Path)
	if err != nil {
		return change, err
	}
	change.Intents = header.Intents(have)
	switch {
	case bytes.Equal(have, file.Content) && info.Mode().Perm()&0o111 == file.Mode&0o111:
		change.State = Same
	case header.IsOurs(have) && within(change.Intents, intents):
		change.State = Differs
	case bytes.Equal(have, file.Content):
		change.State = Differs
	default:
		change.State = Foreign
	}
	return change, nil
}

// within says whether every intent that a file was written for takes part in this run. A file that holds another's part
// too is not ours to rewrite: that part would be lost.
func within(written, run []string) bool {
	return !slices.ContainsFunc(written, func(name string) bool { return !slices.Contains(run, name) })
}

// places are the folders of every bundle, and those of the files of this one, which a plugin may have anywhere.
func places(files []bundle.File) []string {
	all := slices.Clone(folders)
	for _, file := range files {
		inside := slices.ContainsFunc(all, func(place string) bool { return strings.HasPrefix(file.Path, place+"/") || file.Path == place })
		if dir := path.Dir(file.Path); !inside && dir != "." {
			all = append(all, dir)
		}
	}
	return all
}

// unwanted finds what Berth wrote earlier and would not write now, each file once: a place may lie inside another.
func unwanted(root *os.Root, places []string, wanted map[string]bool, intents []string) ([]Change, error) {
	var changes []Change
	for _, folder := range places {
		err := fs.WalkDir(root.FS(), folder, func(name string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || wanted[name] || !entry.Type().IsRegular() {
				return err
			}
			wanted[name] = true
			change, err := unwantedOne(root, name, intents)
			if change.State != "" {
				changes = append(changes, change)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return changes, nil
}

func unwantedOne(root *os.Root, name string, intents []string) (Change, error) {
	change := Change{Path: name}
	if isTemp(name) {
		change.State = partial
		return change, nil
	}
	have, err := root.ReadFile(name)
	if err != nil || !header.IsOurs(have) {
		return change, err
	}
	change.Intents = header.Intents(have)
	change.State = Left
	if within(change.Intents, intents) {
		change.State = Stale
	}
	return change, nil
}
