package k3s

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// Site is where the configuration of one node stands.
type Site struct {
	// Node names the node where several stand in one tree; else empty.
	Node string
	// Base is the path of config.yaml in the file system. The file need not exist.
	Base string
	// Rooted is set when the file system is a machine's own, so that absolute paths can be followed in it.
	Rooted bool
}

// ErrNoConfig is returned by Discover when nothing in the file system looks like a configuration.
var ErrNoConfig = errors.New("no configuration found")

// defaultBase is the path of config.yaml, from the root of a machine's file system.
func defaultBase(d v1alpha1.Distribution) string {
	return "etc/rancher/" + string(d) + "/config.yaml"
}

// Discover finds configuration in a file system: the root of a machine (etc/rancher/k3s below it), a folder that holds
// config.yaml or config.yaml.d, or a tree that `berth generate` wrote, with one such folder per node.
func Discover(fsys fs.FS, d v1alpha1.Distribution) ([]Site, error) {
	if exists(fsys, path.Dir(defaultBase(d))) {
		return []Site{{Base: defaultBase(d), Rooted: true}}, nil
	}
	if holdsConfig(fsys, ".") {
		return []Site{{Base: "config.yaml"}}, nil
	}
	for _, parent := range []string{string(d), "."} {
		if sites := nodeFolders(fsys, parent); len(sites) > 0 {
			return sites, nil
		}
	}
	return nil, fmt.Errorf("%w: there is no %s, no config.yaml, no config.yaml.d and no folder that holds one of these%s",
		ErrNoConfig, path.Dir(defaultBase(d)), another(fsys, d))
}

// another names the distribution whose configuration the file system holds instead.
func another(fsys fs.FS, d v1alpha1.Distribution) string {
	for _, other := range []v1alpha1.Distribution{v1alpha1.K3s, v1alpha1.RKE2} {
		if other != d && (exists(fsys, path.Dir(defaultBase(other))) || len(nodeFolders(fsys, string(other))) > 0) {
			return fmt.Sprintf("; it is for %s: say --distribution %s", other, other)
		}
	}
	return ""
}

func nodeFolders(fsys fs.FS, parent string) []Site {
	entries, err := fs.ReadDir(fsys, parent)
	if err != nil {
		return nil
	}
	var sites []Site
	for _, e := range entries {
		dir := path.Join(parent, e.Name())
		if e.IsDir() && holdsConfig(fsys, dir) {
			sites = append(sites, Site{Node: e.Name(), Base: path.Join(dir, "config.yaml")})
		}
	}
	return sites
}

func holdsConfig(fsys fs.FS, dir string) bool {
	return exists(fsys, path.Join(dir, "config.yaml")) || exists(fsys, path.Join(dir, "config.yaml.d"))
}

func exists(fsys fs.FS, name string) bool {
	_, err := fs.Stat(fsys, resolve(fsys, name))
	return err == nil
}
