package daemonset

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// collisions finds what two objects cannot both be or have.
func (r *run) collisions() {
	for _, other := range r.in.Others {
		if other != r.plugin {
			r.collide(other)
		}
	}
	for _, item := range slices.Concat(r.in.Items, r.in.Neighbours) {
		r.taken(item)
	}
}

// collide compares two plugins of a run. On one node the last to register takes a resource from the other.
func (r *run) collide(other *v1alpha1.DevicePlugin) {
	mine, theirs := r.plugin, other
	if mine.Metadata.Name == theirs.Metadata.Name {
		r.add(r.find(finding.Error, "plugin-name-taken", "metadata.name",
			fmt.Sprintf("another DevicePlugin has the name %s%s", theirs.Metadata.Name, at(theirs, "metadata.name")), "give each a name of its own"))
		return
	}
	for _, resource := range mine.Claims() {
		if slices.Contains(theirs.Claims(), resource) && (sharesNode(mine, theirs)) {
			r.add(r.find(finding.Error, "resource-claimed-twice", "spec",
				fmt.Sprintf("the DevicePlugin %s%s offers %s too, and on a node the last to register takes it from the other",
					theirs.Metadata.Name, at(theirs, "spec"), resource),
				"give one of them another resource, other drivers in select, or other nodes with onlyNodes"))
		}
	}
	if mine.Spec.TargetNamespace == theirs.Spec.TargetNamespace {
		r.add(r.find(finding.Error, "namespace-taken", "spec.namespace",
			fmt.Sprintf("the DevicePlugin %s writes the namespace %s too", theirs.Metadata.Name, theirs.Spec.TargetNamespace), "give each a namespace of its own"))
	}
	a, b := mine.Spec.Flux, theirs.Spec.Flux
	if a == nil || b == nil {
		return
	}
	if a.Name == b.Name && a.Namespace == b.Namespace {
		r.add(r.find(finding.Error, "flux-name-taken", "spec.flux.name",
			fmt.Sprintf("the DevicePlugin %s has the Flux Kustomization %s/%s too", theirs.Metadata.Name, b.Namespace, b.Name), "give each a name of its own"))
	}
	if path.Clean(a.Path) == path.Clean(b.Path) {
		r.add(r.find(finding.Error, "flux-path-taken", "spec.flux.path",
			fmt.Sprintf("the DevicePlugin %s is written to %s too", theirs.Metadata.Name, b.Path), "give each a folder of its own"))
	}
}

// sharesNode tells whether both may run on one node.
func sharesNode(a, b *v1alpha1.DevicePlugin) bool {
	if !*a.Spec.OnlyNodes || !*b.Spec.OnlyNodes {
		return true
	}
	return slices.ContainsFunc(a.Spec.Nodes, func(node string) bool { return slices.Contains(b.Spec.Nodes, node) })
}

func at(plugin *v1alpha1.DevicePlugin, field string) string {
	if where := plugin.Position(field).String(); where != "" {
		return " (" + where + ")"
	}
	return ""
}

// taken reports an object of the render that has the name, or the folder, of one that the plugin writes.
func (r *run) taken(item *stream.Item) {
	if Wrote(r.plugin, item) {
		return
	}
	spec := r.plugin.Spec
	switch {
	case item.Kind == "Namespace" && item.APIVersion == "v1" && item.Name == spec.TargetNamespace:
		r.add(r.find(finding.Error, "name-taken", "spec.namespace", "there is a Namespace "+item.Name+standing(item)+" already",
			"choose another spec.namespace: the plugin's goes with the plugin"))
	case item.Kind == "DaemonSet" && item.Namespace == spec.TargetNamespace && item.Name == r.plugin.PluginName():
		r.add(r.find(finding.Error, "name-taken", "metadata.name", "there is a "+item.ID()+standing(item)+" already",
			"give the plugin another name, or remove the object"))
	case spec.Flux != nil && isFlux(item):
		r.fluxTaken(item, spec.Flux)
	}
}

// fluxTaken compares the plugin's Flux Kustomization with another.
func (r *run) fluxTaken(item *stream.Item, f *v1alpha1.FluxKustomization) {
	name := item.Namespace + "/" + item.Name + standing(item)
	switch {
	case item.Namespace == f.Namespace && item.Name == f.Name:
		r.add(r.find(finding.Error, "flux-name-taken", "spec.flux.name", fmt.Sprintf("there is a Flux Kustomization %s already", name),
			"choose another spec.flux.name: two objects of one name undo each other"))
	case fluxPath(item) == path.Clean(f.Path):
		r.add(r.find(finding.Error, "flux-path-taken", "spec.flux.path", fmt.Sprintf("the Flux Kustomization %s applies %s already", name, f.Path),
			"choose another spec.flux.path: each object may be applied from one place only"))
	}
}

func isFlux(item *stream.Item) bool {
	return item.Kind == kindKustomization && podspec.Group(item.APIVersion) == fluxGroup
}

func fluxPath(item *stream.Item) string {
	node, err := item.Node()
	if err != nil {
		return ""
	}
	value := tree.Lookup(node.YNode(), "spec", "path")
	if value == nil || strings.TrimSpace(value.Value) == "" {
		return ""
	}
	return path.Clean(value.Value)
}

// standing says in which file an object stands, where that is known.
func standing(item *stream.Item) string {
	if item.File == "" {
		return ""
	}
	return fmt.Sprintf(" (%s:%d)", item.File, item.Line)
}
