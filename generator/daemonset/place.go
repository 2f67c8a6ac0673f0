package daemonset

import (
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
)

// Place puts the plugin's objects among the items: new ones at the end, and in place of those that an earlier run made.
// files says that the host keeps each item in a file, as kpt does; the Flux Kustomization is placed there only, since in a
// kustomization that Flux builds it would apply itself. An object of an earlier run that is no longer made is reported.
func Place(plugin *v1alpha1.DevicePlugin, objects []Object, items []*stream.Item, files bool) ([]*stream.Item, []finding.Finding, error) {
	var found []finding.Finding
	made := map[finding.Object]bool{}
	for _, object := range objects {
		if object.Flux && !files {
			found = append(found, about(plugin, finding.Info, "flux-not-placed", "spec.flux",
				"the Flux Kustomization is not among the output, since it would be applied by itself", "berth generate writes it"))
			continue
		}
		made[idOf(stream.MetaOf(object.Node.YNode()))] = true
		var err error
		if items, err = placeOne(plugin, object, items, files); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", object.Name, err)
		}
	}
	for _, item := range items {
		if Wrote(plugin, item) && !made[idOf(item.Meta)] && !isFlux(item) {
			id := idOf(item.Meta)
			found = append(found, finding.Finding{
				Code: "left-over", Severity: finding.Warning, Object: &id,
				Message: fmt.Sprintf("was made for the DevicePlugin %s, which no longer asks for it", plugin.Metadata.Name), Action: "delete it",
			})
		}
	}
	return items, found, nil
}

func idOf(m stream.Meta) finding.Object {
	return finding.Object{APIVersion: m.APIVersion, Kind: m.Kind, Namespace: m.Namespace, Name: m.Name}
}

func placeOne(plugin *v1alpha1.DevicePlugin, object Object, items []*stream.Item, files bool) ([]*stream.Item, error) {
	id := idOf(stream.MetaOf(object.Node.YNode()))
	for _, item := range items {
		if idOf(item.Meta) == id {
			return items, replace(item, object.Node)
		}
	}
	item := stream.New(object.Node.Copy())
	items = append(items, item)
	if !files {
		return items, nil
	}
	file := path.Join(Folder(plugin), object.Name)
	if object.Flux {
		file = path.Clean(plugin.Spec.Flux.File)
	}
	return items, item.PlaceIn(file)
}

// replace brings an object up to date, keeping what the host wrote on it. One that is as it should be is left alone.
func replace(item *stream.Item, wanted *yaml.RNode) error {
	have, err := item.Node()
	if err != nil {
		return err
	}
	fresh := wanted.Copy()
	annotations := fresh.GetAnnotations()
	for key, value := range item.Annotations {
		if hostAnnotation(key) && annotations[key] == "" {
			annotations[key] = value
		}
	}
	if err := fresh.SetAnnotations(annotations); err != nil {
		return err
	}
	if edit.Same(have.YNode(), fresh.YNode()) {
		return nil
	}
	if have, err = item.Edit(); err != nil {
		return err
	}
	have.SetYNode(fresh.YNode())
	return nil
}

// hostAnnotation tells whether kustomize or kpt wrote an annotation, to know the object again.
func hostAnnotation(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	return domain == "config.k8s.io" || strings.HasSuffix(domain, "config.kubernetes.io") || strings.HasSuffix(domain, "config.k8s.io") ||
		domain == "internal.kpt.dev"
}
