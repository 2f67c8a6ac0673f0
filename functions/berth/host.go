package main

import (
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
)

// annotationKustomizeID is on every item that kustomize hands to a transformer, and on none that it hands to a generator
// (kustomize v5.8.1).
const annotationKustomizeID = "kustomize.config.k8s.io/id"

// requireTransformer refuses the two places in a kustomization where the intent cannot work, with one clear line instead
// of what kustomize would say.
func requireTransformer(list *stream.ResourceList, config stream.Meta) error {
	if alone(list.Items, config) {
		return fmt.Errorf("%s stands under generators:, where it sees no resources; list it under transformers: instead", config.ID())
	}
	if underKustomize(list.Items) && onlyUnderValidators(config) {
		return fmt.Errorf("%s stands under validators:, where kustomize allows no change; list it under transformers: instead", config.ID())
	}
	return nil
}

// alone says whether the only item is the functionConfig itself, which is what kustomize sends to a generator.
func alone(items []*stream.Item, config stream.Meta) bool {
	if len(items) != 1 {
		return false
	}
	item := items[0]
	return item.APIVersion == config.APIVersion && item.Kind == config.Kind && item.Name == config.Name &&
		item.Annotations[annotationKustomizeID] == "" && item.Annotations[kioutil.PathAnnotation] == ""
}

func underKustomize(items []*stream.Item) bool {
	for _, item := range items {
		if item.Annotations[annotationKustomizeID] != "" {
			return true
		}
	}
	return false
}

// onlyUnderValidators looks at the kustomization in the working directory, which kustomize sets to the one that names
// the function. Nothing on standard input tells a validator from a transformer, and kustomize's own message ("validator
// shouldn't modify the resource map") does not say what to do. What is read here decides about a message only, never
// about the output; where there is nothing to read, there is nothing to say.
func onlyUnderValidators(config stream.Meta) bool {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		var k struct {
			Transformers []string `yaml:"transformers"`
			Validators   []string `yaml:"validators"`
		}
		if yaml.Unmarshal(text, &k) != nil {
			return false
		}
		return anyHolds(k.Validators, config) && !anyHolds(k.Transformers, config)
	}
	return false
}

// anyHolds says whether one of the entries (a file, or YAML written in place) holds the object.
func anyHolds(entries []string, object stream.Meta) bool {
	for _, entry := range entries {
		text := []byte(entry)
		if !strings.Contains(entry, "\n") {
			var err error
			if text, err = os.ReadFile(entry); err != nil {
				continue
			}
		}
		items, err := stream.ReadDocuments(entry, text)
		if err != nil {
			continue
		}
		for _, item := range items {
			if item.Kind == object.Kind && item.Name == object.Name {
				return true
			}
		}
	}
	return false
}
