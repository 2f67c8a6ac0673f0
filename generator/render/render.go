package render

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/berth-dev/berth/generator/remote"
	"github.com/berth-dev/berth/generator/stream"
)

// Stdin is the source that stands for standard input.
const Stdin = "-"

// Read returns the objects of a source: a kustomization directory, a file, or - for standard input. Its errors name the
// source, and the file and line of a fault in a stream.
func Read(source string, stdin io.Reader) ([]*stream.Item, error) {
	if source == Stdin {
		text, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return stream.ReadDocuments("standard input", text)
	}
	info, err := os.Stat(source)
	if err != nil {
		return nil, fmt.Errorf("read render: %w", err)
	}
	if info.IsDir() {
		return Build(source)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, fmt.Errorf("read render: %w", err)
	}
	return stream.ReadDocuments(source, text)
}

var building sync.Mutex // kustomize's own global state, not ours

// ReadOffline returns the objects of a kustomization directory or a file without ever fetching anything: where kustomize
// would, the cause of the error is a remote.Error.
func ReadOffline(source string) ([]*stream.Item, error) {
	if !isKustomization(source) {
		return Read(source, strings.NewReader(""))
	}
	fs := &offline{FileSystem: filesys.MakeFsOnDisk()}
	items, err := build(fs, source)
	if fs.refused != nil {
		return nil, fmt.Errorf("build %s: %w", source, fs.refused)
	}
	return items, err
}

// offline is a file system that keeps back what makes kustomize fetch something, since kustomize would go on without it.
type offline struct {
	filesys.FileSystem
	refused error
}

// ReadFile implements filesys.FileSystem.
func (o *offline) ReadFile(path string) ([]byte, error) {
	text, err := o.FileSystem.ReadFile(path)
	if err != nil {
		return nil, err
	}
	urls := remote.InPlugin(text)
	if slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path)) {
		found := remote.Find(text)
		urls = slices.Concat(found.Files, found.Bases)
	}
	if len(urls) > 0 {
		o.refused = &remote.Error{File: path, URL: urls[0]}
		return nil, o.refused
	}
	return text, nil
}

// Build builds a kustomization directory the way Flux does: no plugins, no load restriction to the directory.
func Build(dir string) ([]*stream.Item, error) { return build(filesys.MakeFsOnDisk(), dir) }

func build(fs filesys.FileSystem, dir string) ([]*stream.Item, error) {
	if !isKustomization(dir) {
		return nil, fmt.Errorf("build %s: it holds no kustomization.yaml; name a kustomization directory, a YAML file or - for standard input", dir)
	}
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	text, err := Run(fs, dir, options)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w%s", dir, err, hint(err))
	}
	items, err := stream.ReadDocuments("", text)
	if err != nil {
		return nil, fmt.Errorf("build %s: the result: %w", dir, err)
	}
	return items, nil
}

// Run builds a kustomization directory of any file system with kustomize's library, one at a time, and returns the YAML
// stream that kustomize build would print.
func Run(fs filesys.FileSystem, dir string, options *krusty.Options) ([]byte, error) {
	building.Lock()
	defer building.Unlock()
	resources, err := krusty.MakeKustomizer(options).Run(fs, dir)
	if err != nil {
		return nil, err
	}
	return resources.AsYaml()
}

func isKustomization(dir string) bool { return File(dir) != "" }

// File returns the path of a directory's kustomization file, or nothing.
func File(dir string) string {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

func hint(err error) string {
	if strings.Contains(err.Error(), "external plugins disabled") {
		return "\nthe kustomization lists a function under transformers: or generators:; name the one that it builds upon, or pipe the output of `kustomize build` in and say -"
	}
	if strings.Contains(err.Error(), "component") && strings.Contains(err.Error(), "accumulating") {
		return "\nthe Component that berth writes cannot be part of what it is made from: give the kustomization without it"
	}
	return ""
}
