package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/tree"
)

var yamlUnreached = &check.Rule{
	Code: "yaml-unreached", Group: check.Shape, Severity: finding.Warning,
	Title: "A manifest beside a kustomization.yaml is never built",
	Help: `The file holds Kubernetes objects and lies in a folder that a build reads, and no build of any environment reads the file: the
kustomization.yaml does not list it. What is written there never reaches a cluster. A folder that nothing reaches is
reported once, when the folder above is one that a build reads. What berth generate wrote for a declared
DevicePlugin is reported wherever it lies: a plugin whose folder or Flux Kustomization nothing leads to is not deployed.

List the file under resources: or patches:, or remove it. A file that is kept for later may be renamed to end in .disabled.`,
	Repository: func(r *check.Repository, report func(check.Finding)) {
		u := newUnreached(r)
		for _, file := range r.Checkout.Files() {
			if u.read[file] || !u.isManifest(file) {
				continue
			}
			dir := u.topmost(path.Dir(file))
			switch {
			case dir == outside:
				u.generated(file, report)
			case u.reported[dir]:
			case dir != "":
				u.reported[dir] = true
				report(check.At(finding.Source{File: u.file(dir, file)},
					fmt.Sprintf("no build reads the folder %s, though one reads the folder above", dir),
					"list it in "+path.Dir(dir)+", or remove it"))
			case u.built[path.Dir(file)]:
				report(check.At(finding.Source{File: file, Line: 1}, "no build reads this manifest, though one reads its folder",
					"list it in the kustomization.yaml beside it, or remove it"))
			}
		}
	},
}

// outside is the answer for a folder that has nothing to do with any build.
const outside = "-"

type unreached struct {
	repository *check.Repository
	read       map[string]bool // files
	built      map[string]bool // folders with a kustomization.yaml that was read
	holds      map[string]bool // folders that hold a file that was read, at any depth
	reported   map[string]bool
}

func newUnreached(r *check.Repository) *unreached {
	u := &unreached{repository: r, read: map[string]bool{}, built: map[string]bool{}, holds: map[string]bool{}, reported: map[string]bool{}}
	for _, e := range r.Environments {
		for _, k := range e.Kustomizations {
			for _, file := range k.Files {
				u.read[file] = true
				u.built[path.Dir(file)] = u.built[path.Dir(file)] || isKustomization(file)
				for dir := path.Dir(file); !u.holds[dir]; dir = path.Dir(dir) {
					u.holds[dir] = true
				}
			}
			if !k.Built { // what a failed build reads is not known
				u.holds[k.Path] = true
			}
		}
	}
	return u
}

// topmost is the folder that nothing reaches, directly below one that a build reads; empty when the folder is reached, and
// outside when the folder above is not one that a build reads.
func (u *unreached) topmost(dir string) string {
	if u.holds[dir] {
		return ""
	}
	for dir != "." {
		above := path.Dir(dir)
		if u.built[above] {
			return dir
		}
		if u.holds[above] {
			return outside
		}
		dir = above
	}
	return outside
}

func (u *unreached) file(dir, file string) string {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "ks.yaml"} {
		if _, err := u.repository.Checkout.ReadFile(path.Join(dir, name)); err == nil {
			return path.Join(dir, name)
		}
	}
	return file
}

// isManifest says whether a file holds an object for the cluster: no kustomization.yaml, and no values or settings.
func (u *unreached) isManifest(file string) bool {
	ext := path.Ext(file)
	if ext != ".yaml" && ext != ".yml" || isKustomization(file) || strings.HasPrefix(path.Base(file), ".") || file == u.repository.File {
		return false
	}
	if u.belowGenerated(file) && !u.isOurs(file) || u.isRecord(file) {
		return false
	}
	return slices.ContainsFunc(u.repository.Documents(file), isForCluster)
}

// isForCluster says whether a document is an object that is meant to be applied, and not one that stays local.
func isForCluster(root *yaml.Node) bool {
	api := text(root, "apiVersion")
	named := api != "" && text(root, "kind") != "" && tree.Lookup(root, "metadata") != nil
	local := tree.Lookup(root, "metadata", "annotations", "config.kubernetes.io/local-config") != nil
	return named && !local && !strings.HasPrefix(api, "berth.dev/") && !strings.HasPrefix(api, "kustomize.config.k8s.io/")
}
