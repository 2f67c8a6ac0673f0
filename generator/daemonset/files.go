package daemonset

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/header"
	"github.com/berth-dev/berth/generator/manifest"
	"github.com/berth-dev/berth/generator/tree"
)

// File is a file of the repository.
type File struct {
	// Path is relative to the repository's root, with slashes.
	Path    string
	Content []byte
}

// ConsumersFolder holds, for each plugin, a kustomize Component with the patches of its consumers.
const ConsumersFolder = "consumers"

// Owner is what a file's header calls the plugin that it was written for.
func Owner(plugin *v1alpha1.DevicePlugin) string {
	return v1alpha1.KindDevicePlugin + " " + plugin.Metadata.Name
}

// Folder is where the plugin's files are written, relative to the repository's root.
func Folder(plugin *v1alpha1.DevicePlugin) string {
	if plugin.Spec.Flux == nil {
		return plugin.PluginName()
	}
	return path.Clean(plugin.Spec.Flux.Path)
}

// Component is the folder of the consumers' patches, relative to the repository's root.
func Component(plugin *v1alpha1.DevicePlugin) string {
	return path.Join(ConsumersFolder, plugin.Metadata.Name)
}

// Files writes what Generate made as plain files, sorted by path: the objects and their kustomization, the Flux
// Kustomization, and the patches of the consumers. selectorOf says how a kustomization finds the object of a patch, where
// the caller knows better than the object's own name and namespace; nil otherwise.
func Files(plugin *v1alpha1.DevicePlugin, out *Output, selectorOf func(edit.Patch) edit.Selector) ([]File, error) {
	if selectorOf == nil {
		selectorOf = func(p edit.Patch) edit.Selector { return p.Target }
	}
	w := writer{plugin: plugin, selectorOf: selectorOf}
	var resources []string
	for _, object := range out.Objects {
		if object.Flux {
			w.write(plugin.Spec.Flux.File, "the Flux Kustomization of a device plugin", object.Node, fluxNotes(plugin)...)
			continue
		}
		if object.Name == daemonSetFile {
			object.Node = explained(object.Node)
		}
		resources = append(resources, object.Name)
		w.write(path.Join(Folder(plugin), object.Name), describe(object), object.Node, notes(plugin, object)...)
	}
	w.write(path.Join(Folder(plugin), "kustomization.yaml"), "the objects of a device plugin",
		kustomizationFile("kustomize.config.k8s.io/v1beta1", kindKustomization, "resources", texts(resources)))
	if len(plugin.Spec.Consumers) > 0 {
		w.consumers(edit.Patches(out.Edits))
	}
	slices.SortFunc(w.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return w.files, w.err
}

// writer collects files, and the first error.
type writer struct {
	plugin     *v1alpha1.DevicePlugin
	selectorOf func(edit.Patch) edit.Selector
	files      []File
	err        error
}

func (w *writer) write(name, what string, node *yaml.RNode, notes ...string) {
	text, err := manifest.Encode(node)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("%s: %w", name, err)
	}
	head := header.New(what, []string{Owner(w.plugin)}, notes...)
	w.files = append(w.files, File{Path: path.Clean(name), Content: append([]byte(head), text...)})
}

// consumers writes the Component. It is there at every stage, so that a tier can refer to it from the beginning; at the
// stage advertise it changes nothing.
func (w *writer) consumers(patches []edit.Patch) {
	folder := Component(w.plugin)
	entries := tree.List()
	taken := map[string]bool{}
	for _, p := range patches {
		name := fileName(p)
		if taken[name] { // the same kind of two API groups
			name = strings.ToLower(strings.ReplaceAll(p.Object.APIVersion, "/", "_")) + "_" + name
		}
		taken[name] = true
		w.write(path.Join(folder, name), "a patch for "+p.Object.String(), yaml.NewRNode(p.Operations),
			"Each change is guarded by a test of what it was made from: when the base has changed the build fails.")
		entries.Content = append(entries.Content, tree.Map("path", tree.Text(name), "target", target(w.selectorOf(p))))
	}
	notes := []string{
		"Refer to it from components: of the consumers' kustomization, or from spec.components of their Flux Kustomization.",
	}
	if w.plugin.Spec.Stage != v1alpha1.Consume {
		notes = append(notes, "The stage is advertise: it changes nothing yet.")
	}
	w.write(path.Join(folder, "kustomization.yaml"), "a kustomize Component that switches the consumers of a device plugin",
		kustomizationFile("kustomize.config.k8s.io/v1alpha1", "Component", "patches", entries), notes...)
}

func fileName(p edit.Patch) string {
	parts := slices.DeleteFunc([]string{p.Object.Kind, p.Object.Namespace, p.Object.Name}, func(s string) bool { return s == "" })
	return strings.ToLower(strings.Join(parts, "_")) + ".yaml"
}

func target(s edit.Selector) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	for _, field := range [][2]string{{"group", s.Group}, {"kind", s.Kind}, {"name", s.Name}, {"namespace", s.Namespace}} {
		if field[1] != "" {
			node.Content = append(node.Content, tree.Text(field[0]), tree.Text(field[1]))
		}
	}
	return node
}

func kustomizationFile(apiVersion, kind, field string, list *yaml.Node) *yaml.RNode {
	if len(list.Content) == 0 {
		list.Style = yaml.FlowStyle
	}
	return yaml.NewRNode(tree.Map("apiVersion", tree.Text(apiVersion), "kind", tree.Text(kind), field, list))
}

func texts(all []string) *yaml.Node {
	list := tree.List()
	for _, s := range all {
		list.Content = append(list.Content, tree.Text(s))
	}
	return list
}
