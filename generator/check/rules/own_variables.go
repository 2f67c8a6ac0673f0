package rules

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/tree"
)

// ownVariables are the keys of a ConfigMap that files below an environment's folder give a value.
func ownVariables(p *check.Pass, configMap string) map[string]bool {
	own := ownKeys{configMap: configMap, found: map[string]bool{}}
	for _, file := range p.Repository.Checkout.Files() {
		if !below(file, p.Folder()) {
			continue
		}
		if ext := path.Ext(file); ext == ".yaml" || ext == ".yml" || ext == ".json" || isKustomization(file) {
			for _, document := range p.Repository.Documents(file) {
				own.document(document)
			}
		}
	}
	return own.found
}

type ownKeys struct {
	configMap string
	found     map[string]bool
}

// document takes in a manifest, a strategic merge patch, a JSON patch or a kustomization.yaml.
func (o *ownKeys) document(root *yaml.Node) {
	switch {
	case root.Kind == yaml.SequenceNode:
		o.operations(root)
	case text(root, "kind") == "ConfigMap" && text(root, "metadata", "name") == o.configMap:
		for _, key := range keys(tree.Lookup(root, "data")) {
			o.found[key] = true
		}
	default:
		o.kustomization(root)
	}
}

// operations takes in a JSON patch.
func (o *ownKeys) operations(list *yaml.Node) {
	for _, operation := range items(list) {
		pointer := text(operation, "path")
		if key, ok := strings.CutPrefix(pointer, "/data/"); ok && text(operation, "op") != "remove" {
			o.found[strings.NewReplacer("~1", "/", "~0", "~").Replace(key)] = true
		}
		if pointer == "/data" {
			for _, key := range keys(tree.Lookup(operation, "value")) {
				o.found[key] = true
			}
		}
	}
}

func (o *ownKeys) kustomization(root *yaml.Node) {
	for _, field := range []string{"patches", "patchesJson6902", "patchesStrategicMerge"} {
		for _, entry := range items(tree.Lookup(root, field)) {
			o.inline(entry)
		}
	}
	for _, generator := range items(tree.Lookup(root, "configMapGenerator")) {
		if text(generator, "name") == o.configMap {
			o.each(tree.Lookup(generator, "literals"), func(literal string) string { key, _, _ := strings.Cut(literal, "="); return key })
		}
	}
	for _, replacement := range items(tree.Lookup(root, "replacements")) {
		for _, target := range items(tree.Lookup(replacement, "targets")) {
			o.each(tree.Lookup(target, "fieldPaths"), func(field string) string { key, _ := strings.CutPrefix(field, "data."); return key })
		}
	}
}

// inline takes in a patch that stands in the kustomization.yaml.
func (o *ownKeys) inline(entry *yaml.Node) {
	inline := entry.Value
	if entry.Kind == yaml.MappingNode {
		inline = text(entry, "patch")
	}
	for _, document := range check.Documents([]byte(inline)) {
		if document.Kind != yaml.ScalarNode && text(document, "kind") != "Kustomization" {
			o.document(document)
		}
	}
}

func (o *ownKeys) each(list *yaml.Node, key func(string) string) {
	for _, entry := range items(list) {
		o.found[key(entry.Value)] = true
	}
}

func isKustomization(file string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), path.Base(file))
}

// kustomizationFile is the path of a folder's kustomization.yaml, or the folder where there is none.
func kustomizationFile(p *check.Pass, dir string) string {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		file := path.Join(dir, name)
		if _, err := p.Repository.Checkout.ReadFile(file); err == nil {
			return file
		}
	}
	return dir
}

// below says whether a file stands in a folder or below it.
func below(file, dir string) bool {
	return dir == "." || file == dir || strings.HasPrefix(file, dir+"/")
}
