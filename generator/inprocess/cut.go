package inprocess

import (
	"fmt"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

const berthGroup = "berth.dev/"

// cut takes Berth's entries out of transformers:, and returns their objects in order. What comes behind them would have
// to run behind them, and cannot.
func (b *builder) cut(k *kustomization) ([]*stream.Item, error) {
	var configs []*stream.Item
	var kept []*yaml.Node
	for i, entry := range k.list("transformers") {
		found, err := b.configs(k.dir, entry.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: transformers[%d]: %w", k.file, i, err)
		}
		switch {
		case len(found) > 0:
			configs = append(configs, found...)
		case len(configs) > 0:
			return nil, fmt.Errorf("%s: transformers[%d] stands behind an entry of Berth's, where berth build cannot run it: move it before that entry, or use kustomize build --enable-alpha-plugins --enable-exec", k.file, i)
		default:
			kept = append(kept, entry)
		}
	}
	if len(configs) == 0 {
		return nil, nil
	}
	for _, field := range []string{"validators", "buildMetadata"} {
		if err := refuse(k, field); err != nil {
			return nil, err
		}
	}
	if len(kept) == 0 {
		tree.Remove(k.root, tree.Path{"transformers"})
	} else {
		tree.Lookup(k.root, "transformers").Content = kept
	}
	return configs, nil
}

func refuse(k *kustomization, field string) error {
	for _, value := range k.strings(field) {
		if field == "validators" || value == "originAnnotations" || value == "transformerAnnotations" {
			return fmt.Errorf("%s: %s: berth build cannot do that beside an entry of Berth's: remove it, or use kustomize build --enable-alpha-plugins --enable-exec", k.file, field)
		}
	}
	return nil
}

// configs returns the objects of an entry when they are Berth's: a file, a directory with a kustomization, or YAML
// written in place. An entry with Berth's and other objects is an error.
func (b *builder) configs(dir, entry string) ([]*stream.Item, error) {
	path := filepath.Join(dir, entry)
	var text []byte
	var err error
	switch {
	case strings.Contains(entry, "\n"):
		text = []byte(entry)
	case b.fs.IsDir(path):
		text, err = b.build(b.fs, path)
	case b.fs.Exists(path):
		text, err = b.fs.ReadFile(path)
	default:
		return nil, nil // a remote one, or none: kustomize knows
	}
	if err != nil {
		return nil, err
	}
	items, err := stream.ReadDocuments(entry, text)
	if err != nil {
		return nil, nil // kustomize says it in its own words
	}
	ours := 0
	for _, item := range items {
		if strings.HasPrefix(item.APIVersion, berthGroup) {
			ours++
		}
	}
	if ours != 0 && ours != len(items) {
		return nil, fmt.Errorf("holds objects of Berth's and others: put them into files of their own")
	}
	if ours == 0 {
		return nil, nil
	}
	return items, nil
}

// misplaced refuses Berth's objects where they see nothing, or may change nothing.
func (b *builder) misplaced(k *kustomization) error {
	for _, field := range []string{"generators", "validators"} {
		for i, entry := range k.list(field) {
			found, err := b.configs(k.dir, entry.Value)
			if err != nil || len(found) > 0 {
				return fmt.Errorf("%s: %s[%d] holds an object of Berth's: list it under transformers: instead", k.file, field, i)
			}
		}
	}
	return nil
}
