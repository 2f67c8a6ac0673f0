package inprocess

import (
	"fmt"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/berth-dev/berth/generator/render"
)

// Function is a KRM function: a ResourceList in, a ResourceList out.
type Function func(in []byte) ([]byte, error)

// Options are those of kustomize build that matter here.
type Options struct {
	// LoadRestrictionsNone lets kustomizations refer to files outside of their own directories.
	LoadRestrictionsNone bool
}

// Build builds a kustomization directory with Berth's function in the places where its kinds stand under transformers:,
// in the directory itself, its bases and its Components. The result is a YAML stream.
func Build(dir string, run Function, options Options) ([]byte, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", dir, err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, fmt.Errorf("build %s: %w", dir, err)
	}
	b := &builder{fs: newOverlay(filesys.MakeFsOnDisk()), run: run, options: options, done: map[string]string{}, root: root}
	at, err := b.base(root)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", dir, err)
	}
	out, err := b.print(b.fs, at, krusty.ReorderOptionUnspecified)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", dir, err)
	}
	return out, nil
}

// builder rewrites one tree of kustomizations.
type builder struct {
	fs      *overlay
	run     Function
	options Options
	root    string
	done    map[string]string // directories that were rewritten, and what stands for them
	made    int               // directories that were made up
}

// build builds a directory in the order in which a function would be given the objects.
func (b *builder) build(fs filesys.FileSystem, dir string) ([]byte, error) {
	return b.print(fs, dir, krusty.ReorderOptionNone)
}

func (b *builder) print(fs filesys.FileSystem, dir string, order krusty.ReorderOption) ([]byte, error) {
	options := krusty.MakeDefaultOptions()
	options.Reorder = order
	if b.options.LoadRestrictionsNone {
		options.LoadRestrictions = types.LoadRestrictionsNone
	}
	return render.Run(fs, dir, options)
}
