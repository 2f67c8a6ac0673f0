package rules

import (
	"fmt"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/daemonset"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/stamp"
)

// generated reports the folder of a file that has nothing to do with any build, once, when Berth wrote the file for Flux. The
// nodes' drop-ins, Helm's values and the patches of a Component are no objects, and so no manifests.
func (u *unreached) generated(file string, report func(check.Finding)) {
	dir := path.Dir(file)
	if u.reported[dir] || !u.isOurs(file) || !u.belowGenerated(file) && !u.isOfPlugin(file) {
		return
	}
	u.reported[dir] = true
	report(check.At(finding.Source{File: u.file(dir, file)}, fmt.Sprintf("Berth wrote the folder %s for Flux, and no build reads it", dir),
		"let the entrypoint build the Flux Kustomization for it, or list it in the kustomization.yaml that is to apply it"))
}

// isOurs says whether Berth wrote a file.
func (u *unreached) isOurs(file string) bool {
	content, err := u.repository.Checkout.ReadFile(file)
	return err == nil && header.IsOurs(content)
}

// isOfPlugin says whether a file lies where berth generate writes what is for Flux of a declared DevicePlugin.
func (u *unreached) isOfPlugin(file string) bool {
	return slices.ContainsFunc(u.repository.Declared.Plugins, func(p *v1alpha1.DevicePlugin) bool {
		return below(file, daemonset.Folder(p)) || p.Spec.Flux != nil && file == path.Clean(p.Spec.Flux.File)
	})
}

// isRecord says whether a file holds the record of an intent and nothing else: the rule record-missing tells of that.
func (u *unreached) isRecord(file string) bool {
	return u.isOurs(file) && !slices.ContainsFunc(u.repository.Documents(file), func(root *yaml.Node) bool {
		return text(root, "kind") != "ConfigMap" || text(root, "metadata", "labels", stamp.LabelIntent) == ""
	})
}

// belowGenerated says whether a file lies in a folder that berth.yaml says berth generate writes.
func (u *unreached) belowGenerated(file string) bool {
	return slices.ContainsFunc(u.repository.Check.Spec.Generated, func(g v1alpha1.GeneratedPath) bool { return below(file, path.Clean(g.Path)) })
}
