package inprocess

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// kustomization is a kustomization file as a tree.
type kustomization struct {
	dir, file string // the directory, and the file's whole path
	root      *yaml.Node
}

// open reads the kustomization of a directory. It returns nil for a directory that kustomize itself would complain
// about, in its own words.
func (b *builder) open(dir string) (*kustomization, error) {
	var found []string
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if path := filepath.Join(dir, name); b.fs.Exists(path) && !b.fs.IsDir(path) {
			found = append(found, path)
		}
	}
	if len(found) != 1 {
		return nil, nil
	}
	text, err := b.fs.ReadFile(found[0])
	if err != nil {
		return nil, err
	}
	node, err := yaml.Parse(string(text))
	if err != nil || node.YNode().Kind != yaml.MappingNode {
		return nil, nil
	}
	if err := tree.ExpandAnchors(node); err != nil {
		return nil, fmt.Errorf("%s: %w", found[0], err)
	}
	return &kustomization{dir: dir, file: found[0], root: node.YNode()}, nil
}

// list returns the items of a field, which may be edited in place.
func (k *kustomization) list(field string) []*yaml.Node {
	node := tree.Lookup(k.root, field)
	if node == nil || node.Kind != yaml.SequenceNode {
		return nil
	}
	return node.Content
}

// strings returns the items of a field as text.
func (k *kustomization) strings(field string) []string {
	var all []string
	for _, item := range k.list(field) {
		all = append(all, item.Value)
	}
	return all
}

// without returns a copy without some fields.
func (k *kustomization) without(fields ...string) *kustomization {
	out := &kustomization{dir: k.dir, file: k.file, root: yaml.NewRNode(k.root).Copy().YNode()}
	for _, field := range fields {
		tree.Remove(out.root, tree.Path{field})
	}
	return out
}

// component says whether it is a Component.
func (k *kustomization) component() bool {
	kind := tree.Lookup(k.root, "kind")
	return kind != nil && kind.Value == "Component"
}

// empty says whether the kustomization asks for nothing, which kustomize refuses.
func (k *kustomization) empty() bool {
	for i := 0; i+1 < len(k.root.Content); i += 2 {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata"}, k.root.Content[i].Value) && len(k.root.Content[i+1].Content)+len(k.root.Content[i+1].Value) > 0 {
			return false
		}
	}
	return true
}

func (k *kustomization) encode() ([]byte, error) {
	text, err := yaml.String(k.root)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.file, err)
	}
	return []byte(text), nil
}
