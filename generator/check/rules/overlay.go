package rules

import (
	"fmt"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/tree"
)

const overlayHelp = `The model of one base and thin overlays: clusters/base holds the Flux objects once, and clusters/dev and clusters/prod differ only
in the values that they patch into the ConfigMap of the variables. What an overlay adds or changes beyond that is not tested
anywhere else, and promotion to prod is no longer a change of variables alone.

The rule holds when berth.yaml names spec.variables.configMap, and for an environment that builds on a folder outside of its
own. The folder flux-system, as flux bootstrap writes it, and files that berth generate wrote belong to an overlay.
`

var overlayAdds = &check.Rule{
	Code: "overlay-adds", Group: check.Shape, Severity: finding.Error,
	Title: "An overlay adds a resource of its own",
	Help: overlayHelp + `
Move the resource to the base, or to a path that a Kustomization of the base applies.`,
	Environment: func(p *check.Pass) {
		eachOverlayObject(p, func(o *flux.Object) {
			if twin(p, o) == "" {
				p.Report(check.On(o, nil, fmt.Sprintf("the overlay %s adds a resource of its own", p.Folder()),
					"move it to the base: environments differ only in their variables"))
			}
		})
	},
}

var overlayForks = &check.Rule{
	Code: "overlay-forks-base", Group: check.Shape, Severity: finding.Error,
	Title: "An overlay holds a copy of an object of the base",
	Help: overlayHelp + `
Remove the copy, take the base's own, and put what differs into a variable.`,
	Environment: func(p *check.Pass) {
		eachOverlayObject(p, func(o *flux.Object) {
			if file := twin(p, o); file != "" {
				p.Report(check.On(o, nil, fmt.Sprintf("the overlay %s holds its own copy of what stands in %s", p.Folder(), file),
					"remove the copy, and put what differs into a variable"))
			}
		})
	},
}

var overlayPatches = &check.Rule{
	Code: "overlay-patches", Group: check.Shape, Severity: finding.Error,
	Title: "An overlay patches something other than its variables",
	Help: overlayHelp + `
Put what differs into a variable.`,
	Environment: func(p *check.Pass) {
		if !isOverlay(p) {
			return
		}
		file := kustomizationFile(p, p.Folder())
		for _, root := range p.Repository.Documents(file) {
			reportPatches(p, file, root)
		}
	},
}

// reportPatches goes through the fields of an overlay's kustomization.yaml that change what the base says.
func reportPatches(p *check.Pass, file string, root *yaml.Node) {
	name := p.Repository.Check.Spec.Variables.ConfigMap
	for _, patch := range patchesIn(p.Repository, file, root) {
		if patch.only("ConfigMap", name) || patch.generated {
			continue
		}
		p.Report(check.At(patch.at, fmt.Sprintf("the overlay %s patches %s", p.Folder(), patch.subject()),
			"put what differs into a variable of ConfigMap "+name))
	}
	for _, field := range []string{"namePrefix", "nameSuffix", "namespace", "images", "replicas", "replacements", "commonLabels", "commonAnnotations", "labels", "transformers"} {
		if at := tree.Lookup(root, field); !tree.IsNull(at) {
			p.Report(check.At(finding.Source{File: file, Line: at.Line}, fmt.Sprintf("the overlay %s changes the base with %s", p.Folder(), field),
				"put what differs into a variable of ConfigMap "+name))
		}
	}
}

// isOverlay says whether an environment is meant to be one: it builds on files outside of its folder.
func isOverlay(p *check.Pass) bool {
	if p.Repository.Check.Spec.Variables == nil {
		return false
	}
	return slices.ContainsFunc(p.Kustomizations[0].Files, func(file string) bool { return !below(file, p.Folder()) })
}

// eachOverlayObject goes through the objects of the entrypoint that files of the overlay itself declare.
func eachOverlayObject(p *check.Pass, found func(*flux.Object)) {
	if !isOverlay(p) {
		return
	}
	for _, o := range p.Kustomizations[0].Objects {
		file := o.Origin.File
		if file == "" || !below(file, p.Folder()) || below(file, path.Join(p.Folder(), "flux-system")) || ours(p, file) {
			continue
		}
		if is(o, "", "ConfigMap") && o.Name == p.Repository.Check.Spec.Variables.ConfigMap && o.Origin.Generator != "" {
			continue // a generator with behavior: merge
		}
		found(o)
	}
}

// ours says whether berth generate wrote a file.
func ours(p *check.Pass, file string) bool {
	content, err := p.Repository.Checkout.ReadFile(file)
	if err == nil && header.IsOurs(content) {
		return true
	}
	for _, g := range p.Repository.Check.Spec.Generated {
		if below(file, path.Clean(g.Path)) {
			return true
		}
	}
	return false
}

// twin is the file outside of an overlay, beside those that its base consists of, that holds the same object; empty when
// there is none.
func twin(p *check.Pass, o *flux.Object) string {
	dirs := map[string]bool{}
	for _, file := range p.Kustomizations[0].Files {
		if !below(file, p.Folder()) {
			dirs[path.Dir(file)] = true
		}
	}
	for _, file := range p.Repository.Checkout.Files() {
		if !dirs[path.Dir(file)] || isKustomization(file) {
			continue
		}
		for _, root := range p.Repository.Documents(file) {
			if text(root, "kind") == o.Kind && text(root, "metadata", "name") == o.Name {
				return file
			}
		}
	}
	return ""
}
