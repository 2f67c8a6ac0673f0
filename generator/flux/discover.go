package flux

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/tree"
)

// Discover finds the entrypoints of a repository that does not say which folders they are, sorted by path. Its signs, surest
// first: a Kustomization for the folder that it stands in, as `flux bootstrap` commits it; the sync path of a FluxInstance
// of flux-operator; a folder whose build declares Kustomizations and that nothing else leads to.
func Discover(c *Checkout) []Entrypoint {
	d := newDiscovery(c)
	found := map[string]string{}
	for _, k := range d.declared {
		if within(k.file, k.path) && strings.Contains(k.file, "flux-system/") {
			found[k.path] = "its Kustomization " + k.name + " is for its own folder"
		}
	}
	for _, p := range d.synced {
		found[p] = "a FluxInstance syncs it"
	}
	for _, root := range d.roots() {
		if found[root] == "" && !d.covered(root, found) {
			found[root] = "it declares Kustomizations, and nothing else leads to it"
		}
	}
	return named(found)
}

// discovery is what the files say without a build.
type discovery struct {
	checkout *Checkout
	declared []declaration
	synced   []string
	// parents are the folders whose kustomization.yaml refers to a folder.
	parents map[string][]string
	owners  map[string][]string // by file
}

// declaration is a Flux Kustomization in a file.
type declaration struct{ file, name, path string }

func newDiscovery(c *Checkout) *discovery {
	d := &discovery{checkout: c, parents: map[string][]string{}, owners: map[string][]string{}}
	for _, file := range c.Files() {
		ext := path.Ext(file)
		if ext != ".yaml" && ext != ".yml" && path.Base(file) != "Kustomization" {
			continue
		}
		for _, document := range c.documents(file) {
			d.note(file, document)
		}
	}
	return d
}

func (d *discovery) note(file string, doc document) {
	switch api := podspec.Group(doc.APIVersion); {
	case isKustomizationFile(path.Base(file)) && api != group:
		for _, field := range []string{"resources", "components", "bases"} {
			d.refer(path.Dir(file), tree.Lookup(doc.node, field))
		}
	case api == group && doc.Kind == "Kustomization" && tree.Lookup(doc.node, "spec", "sourceRef") != nil:
		d.declared = append(d.declared, declaration{file, doc.Name, cleanPath(text(doc.node, "spec", "path"))})
	case api == "fluxcd.controlplane.io" && doc.Kind == "FluxInstance":
		if sync := text(doc.node, "spec", "sync", "path"); sync != "" && d.checkout.IsDir(cleanPath(sync)) {
			d.synced = append(d.synced, cleanPath(sync))
		}
	}
}

func (d *discovery) refer(dir string, list *yaml.Node) {
	if list == nil {
		return
	}
	for _, entry := range list.Content {
		target := path.Join(dir, entry.Value)
		if d.checkout.IsDir(target) {
			d.parents[target] = append(d.parents[target], dir)
		} else {
			d.owners[target] = append(d.owners[target], dir)
		}
	}
}

// roots returns the topmost folders that lead to the declarations that no Kustomization leads to.
func (d *discovery) roots() []string {
	var roots []string
	for _, k := range d.declared {
		if d.reached(k) {
			continue
		}
		owners := d.owners[k.file]
		if owners == nil {
			owners = []string{path.Dir(k.file)}
		}
		for _, owner := range owners {
			roots = append(roots, d.tops(owner, map[string]bool{})...)
		}
	}
	slices.Sort(roots)
	return slices.Compact(roots)
}

// reached says whether the folder of another Kustomization holds a declaration.
func (d *discovery) reached(k declaration) bool {
	return slices.ContainsFunc(d.declared, func(other declaration) bool {
		return other.file != k.file && within(k.file, other.path) && !within(other.file, other.path)
	})
}

func (d *discovery) tops(dir string, visited map[string]bool) []string {
	if visited[dir] {
		return nil
	}
	visited[dir] = true
	if len(d.parents[dir]) == 0 {
		return []string{dir}
	}
	var all []string
	for _, parent := range d.parents[dir] {
		all = append(all, d.tops(parent, visited)...)
	}
	return all
}

// covered says whether a folder is part of an entrypoint that is known already.
func (d *discovery) covered(dir string, found map[string]string) bool {
	for known := range found {
		if within(dir, known) {
			return true
		}
	}
	return false
}

func text(node *yaml.Node, path ...string) string {
	if at := tree.Lookup(node, path...); at != nil {
		return at.Value
	}
	return ""
}

func within(file, dir string) bool {
	return dir == "." || file == dir || strings.HasPrefix(file, dir+"/")
}
