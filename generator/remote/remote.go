package remote

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// Error says that a build was given up, since it would fetch something.
type Error struct{ File, URL string }

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("%s refers to %s, which cannot be fetched offline", e.File, e.URL)
}

// Is asks kustomize whether it would fetch a folder. It clones what its own parser takes for a repository, and the same
// parser decides how an origin is written.
func Is(entry string) bool {
	if strings.ContainsAny(entry, "\n{") {
		return false // objects written in place
	}
	return isURL(entry) || new(resource.Origin).Append(entry).Repo != ""
}

// isURL says whether kustomize would fetch a file.
func isURL(entry string) bool {
	lower := strings.ToLower(entry)
	return !strings.Contains(entry, "\n") && (strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://"))
}

// Found is what one kustomization.yaml would fetch, each in the order in which it stands there.
type Found struct{ Bases, Files []string }

// Find looks through the text of a kustomization.yaml. A text that is no YAML has nothing: kustomize does not read on.
func Find(content []byte) Found {
	if !mayFetch(content) {
		return Found{}
	}
	var found Found
	for _, root := range documents(content) {
		for _, field := range []string{"resources", "components", "bases"} {
			found.Bases = append(found.Bases, keep(scalars(tree.Lookup(root, field)), Is)...)
		}
		for _, field := range []string{"generators", "transformers", "validators"} {
			for _, entry := range scalars(tree.Lookup(root, field)) {
				if Is(entry) {
					found.Files = append(found.Files, entry)
				}
				found.Files = append(found.Files, InPlugin([]byte(entry))...)
			}
		}
		found.Files = append(found.Files, keep(files(root), isURL)...)
	}
	return found
}

// files are the entries of a kustomization.yaml that kustomize takes for files.
func files(root *yaml.Node) []string {
	var all []string
	for _, field := range []string{"crds", "configurations", "patchesStrategicMerge", "patches"} {
		all = append(all, scalars(tree.Lookup(root, field))...)
	}
	for _, field := range []string{"patches", "patchesJson6902", "replacements", "openapi", "configMapGenerator", "secretGenerator"} {
		all = append(all, below(tree.Lookup(root, field))...)
	}
	return all
}

// InPlugin finds URLs in the configurations of kustomize's own plugins, which stand in files of their own.
func InPlugin(content []byte) []string {
	if !bytes.Contains(content, []byte("builtin")) || !mayFetch(content) {
		return nil
	}
	var all []string
	for _, root := range documents(content) {
		if at := tree.Lookup(root, "apiVersion"); at != nil && at.Value == "builtin" {
			all = append(all, keep(below(root), isURL)...)
		}
	}
	return all
}

// fileKeys are the fields that name files, in a kustomization.yaml and in configurations of plugins.
var fileKeys = []string{"path", "paths", "files", "envs", "env"}

// below are the files that are named anywhere in a tree, without the key of key=file.
func below(node *yaml.Node) []string {
	node = tree.Resolve(node)
	if node == nil {
		return nil
	}
	var all []string
	for i, child := range node.Content {
		switch {
		case node.Kind == yaml.SequenceNode || node.Kind == yaml.MappingNode && i%2 == 1 && !slices.Contains(fileKeys, node.Content[i-1].Value):
			all = append(all, below(child)...)
		case node.Kind == yaml.MappingNode && i%2 == 1:
			for _, entry := range scalars(child) {
				all = append(all, entry)
				if _, file, cut := strings.Cut(entry, "="); cut {
					all = append(all, file)
				}
			}
		}
	}
	return all
}

// scalars are the scalars of a list, or the only one.
func scalars(node *yaml.Node) []string {
	node = tree.Resolve(node)
	switch {
	case node == nil:
		return nil
	case node.Kind == yaml.ScalarNode:
		return []string{node.Value}
	}
	var all []string
	for _, entry := range node.Content {
		if entry = tree.Resolve(entry); node.Kind == yaml.SequenceNode && entry.Kind == yaml.ScalarNode {
			all = append(all, entry.Value)
		}
	}
	return all
}

func keep(all []string, is func(string) bool) []string {
	return slices.DeleteFunc(all, func(s string) bool { return !is(s) })
}

// mayFetch says whether a text has any sign of an address. A backslash may hide one.
func mayFetch(content []byte) bool {
	lower := bytes.ToLower(content)
	return slices.ContainsFunc([]string{"://", "github.com", "@", "git::", `\`}, func(sign string) bool {
		return bytes.Contains(lower, []byte(sign))
	})
}

func documents(content []byte) []*yaml.Node {
	var all []*yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for {
		var root yaml.Node
		err := decoder.Decode(&root)
		switch {
		case err != nil:
			return all // io.EOF, or where the text stops being YAML
		case len(root.Content) > 0:
			all = append(all, root.Content[0])
		}
	}
}

// As returns the Error among the causes of an error; nil when there is none.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
