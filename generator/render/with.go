package render

import (
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
)

// WithComponent builds a kustomization directory as if its kustomization listed one more component, which is what Flux
// does with spec.components (fluxcd/pkg, kustomize/kustomize_generator.go). Nothing is written. read is called for each
// file that the build reads.
func WithComponent(dir, component string, read func(path string, text []byte)) ([]*stream.Item, error) {
	file, err := filepath.EvalSymlinks(File(dir))
	if err != nil {
		return nil, err
	}
	if file, err = filepath.Abs(file); err != nil {
		return nil, err
	}
	text, err := withComponent(file, component)
	if err != nil {
		return nil, fmt.Errorf("build %s with a component: %w", dir, err)
	}
	return buildWith(replaced{FileSystem: filesys.MakeFsOnDisk(), file: file, text: text, read: read}, dir)
}

// Above builds a kustomization that stands above another and adds a component to it. It is made in a folder that the
// caller gives, and takes away.
func Above(scratch, dir, component string) ([]*stream.Item, error) {
	below, err := relative(scratch, dir)
	if err != nil {
		return nil, err
	}
	beside, err := relative(scratch, component)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("resources: [%q]\ncomponents: [%q]\n", below, beside)
	if err := os.WriteFile(filepath.Join(scratch, "kustomization.yaml"), []byte(text), 0o600); err != nil {
		return nil, err
	}
	return buildWith(filesys.MakeFsOnDisk(), scratch)
}

func buildWith(fs filesys.FileSystem, dir string) ([]*stream.Item, error) {
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	text, err := Run(fs, dir, options)
	if err != nil {
		return nil, err
	}
	return stream.ReadDocuments("", text)
}

// withComponent returns the text of a kustomization file with a component added.
func withComponent(file, component string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	node, err := yaml.Parse(string(text))
	if err != nil {
		return nil, err
	}
	path, err := relative(filepath.Dir(file), component)
	if err != nil {
		return nil, err
	}
	err = node.PipeE(yaml.LookupCreate(yaml.SequenceNode, "components"), yaml.Append(yaml.NewStringRNode(path).YNode()))
	if err != nil {
		return nil, err
	}
	out, err := node.String()
	return []byte(out), err
}

// relative returns the path from one directory to another, links resolved, since kustomize resolves them too.
func relative(from, to string) (string, error) {
	for _, path := range []*string{&from, &to} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return "", err
		}
		if *path, err = filepath.EvalSymlinks(absolute); err != nil {
			return "", err
		}
	}
	return filepath.Rel(from, to)
}

// replaced is a file system in which one file reads otherwise, and which tells what is read.
type replaced struct {
	filesys.FileSystem
	file string
	text []byte
	read func(path string, text []byte)
}

// ReadFile returns the other text for that one file.
func (r replaced) ReadFile(path string) ([]byte, error) {
	if absolute, err := filepath.Abs(path); err == nil && absolute == r.file {
		return r.text, nil
	}
	text, err := r.FileSystem.ReadFile(path)
	if err == nil {
		r.read(path, text)
	}
	return text, err
}
