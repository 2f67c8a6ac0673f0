package inprocess

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

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

// The annotation of objects that kustomize drops at the end of a build, and the one in its place meanwhile.
const (
	localConfig = "config.kubernetes.io/local-config"
	keptConfig  = "internal.berth.dev/local-config"
)

// build builds a directory as a function would be given it: in the order in which the objects were gathered, with those
// that kustomize drops in the end.
func (b *builder) build(fs *overlay, dir string) ([]byte, error) {
	state := filepath.Join(filepath.Dir(dir), madeUpDir, "state")
	root := fmt.Sprintf(`resources: [%s]
patches:
- target: {annotationSelector: %s}
  patch: |-
    - {op: move, from: /metadata/annotations/%s, path: /metadata/annotations/%s}
`, strconv.Quote("../../"+filepath.Base(dir)), localConfig, escape(localConfig), escape(keptConfig))
	out, err := b.print(fs.with(map[string][]byte{filepath.Join(state, "kustomization.yaml"): []byte(root)}), state, krusty.ReorderOptionNone)
	return bytes.ReplaceAll(out, []byte(keptConfig+":"), []byte(localConfig+":")), err
}

// escape writes a key into a JSON pointer (RFC 6901).
func escape(key string) string { return strings.ReplaceAll(key, "/", "~1") }

func (b *builder) print(fs filesys.FileSystem, dir string, order krusty.ReorderOption) ([]byte, error) {
	options := krusty.MakeDefaultOptions()
	options.Reorder = order
	if b.options.LoadRestrictionsNone {
		options.LoadRestrictions = types.LoadRestrictionsNone
	}
	return render.Run(fs, dir, options)
}
