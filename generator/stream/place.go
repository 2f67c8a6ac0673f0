package stream

import (
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// originAnnotation is written by kustomize for a root kustomization with buildMetadata: [originAnnotations].
const originAnnotation = "config.kubernetes.io/origin"

// The public twins of kyaml's path and index annotations; hosts of before 2022 read these.
const (
	legacyPath  = "config.kubernetes.io/path"
	legacyIndex = "config.kubernetes.io/index"
)

// Origin returns the file of an item in a ResourceList and the item's number in it, as the host annotated it: kpt by
// path and index, kustomize by its origin annotation. The file is empty when the host does not say.
func (m Meta) Origin() (file string, index int) {
	if origin, ok := m.Annotations[originAnnotation]; ok {
		var at struct {
			Path string `yaml:"path"`
		}
		if yaml.Unmarshal([]byte(origin), &at) == nil && at.Path != "" {
			return at.Path, 0
		}
	}
	for _, key := range []string{kioutil.PathAnnotation, legacyPath} {
		if file = m.Annotations[key]; file != "" {
			break
		}
	}
	for _, key := range []string{kioutil.IndexAnnotation, legacyIndex} {
		if n, err := strconv.Atoi(m.Annotations[key]); err == nil {
			return file, n
		}
	}
	return file, 0
}

// PlaceIn tells the host in which file a new item belongs. Both spellings of the annotation are set, since kyaml refuses
// an item in which they differ.
func (i *Item) PlaceIn(file string) error {
	root, err := i.Edit()
	if err != nil {
		return err
	}
	for _, annotation := range [][2]string{
		{kioutil.PathAnnotation, file}, {legacyPath, file},
		{kioutil.IndexAnnotation, "0"}, {legacyIndex, "0"},
	} {
		if err := root.PipeE(yaml.SetAnnotation(annotation[0], annotation[1])); err != nil {
			return err
		}
	}
	return nil
}
