package bundle

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/k3s"
	"github.com/berth-dev/berth/generator/stamp"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/toleration"
)

// File is one file of the bundle.
type File struct {
	// Path is relative to the output directory, with slashes.
	Path    string
	Content []byte
	Mode    fs.FileMode
}

const (
	modeFile   fs.FileMode = 0o644
	modeScript fs.FileMode = 0o755
)

// Files returns the bundle of some intents for some renders, and what there is to say about it. With an error among the
// findings the files must not be used. The items are edited on the way.
func Files(intents []*v1alpha1.TaintIntent, renders []Render) ([]File, []finding.Finding, error) {
	items := allItems(renders)
	if found := edited(intents, items); len(found) > 0 {
		return nil, found, nil
	}
	targets := newTargets(renders)
	var files []File
	var found []finding.Finding
	var patches []intentPatch
	for _, intent := range intents {
		outcome, err := toleration.Apply(intent, items)
		if err != nil {
			return nil, nil, fmt.Errorf("intent %s: %w", intent.Metadata.Name, err)
		}
		found = append(found, outcome.Findings...)
		found = append(found, twice(items, outcome.Edits)...)
		for _, p := range toleration.Patches(outcome.Edits) {
			p.Target = targets.of(p)
			patches = append(patches, intentPatch{intent: intent.Metadata.Name, Patch: p})
		}
		files = append(files, dropIns(intent)...)
	}
	for _, make := range []func() ([]File, error){
		func() ([]File, error) { return component(intents, patches) },
		func() ([]File, error) { return record(intents) },
	} {
		more, err := make()
		if err != nil {
			return nil, nil, err
		}
		files = append(files, more...)
	}
	files = append(files, script(intents))
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, found, nil
}

// edited refuses a render that holds the record of one of the intents: it is what the function left, and patches made
// from it would be empty.
func edited(intents []*v1alpha1.TaintIntent, items []*stream.Item) []finding.Finding {
	var found []finding.Finding
	for _, item := range items {
		for _, intent := range intents {
			if item.Kind == "ConfigMap" && item.Labels[stamp.LabelIntent] == intent.Metadata.Name && item.Annotations[stamp.AnnotationNode] == "" {
				found = append(found, finding.Finding{
					Code: "render-already-edited", Severity: finding.Error,
					Object:  &finding.Object{APIVersion: item.APIVersion, Kind: item.Kind, Namespace: item.Namespace, Name: item.Name},
					Message: fmt.Sprintf("the render already went through berth for intent %s", intent.Metadata.Name),
					Action:  "give --from the kustomization without the transformers: entry, and without the record",
				})
			}
		}
	}
	return found
}

// twice refuses a render in which an edited object stands twice: a patch cannot tell the two apart.
func twice(items []*stream.Item, edits []edit.Edit) []finding.Finding {
	count := map[finding.Object]int{}
	for _, item := range items {
		count[finding.Object{APIVersion: item.APIVersion, Kind: item.Kind, Namespace: item.Namespace, Name: item.Name}]++
	}
	var found []finding.Finding
	for _, e := range edits {
		if count[e.Object] > 1 {
			object := e.Object
			found = append(found, finding.Finding{
				Code: "object-twice", Severity: finding.Error, Object: &object,
				Message: "stands twice in the render", Action: "a patch cannot tell the two apart: remove one",
			})
			count[e.Object] = 1
		}
	}
	return found
}

func dropIns(intent *v1alpha1.TaintIntent) []File {
	var files []File
	for _, d := range k3s.DropIns(intent) {
		path := string(intent.Spec.Distribution) + "/" + d.Node + "/" + d.Path
		files = append(files, File{Path: path, Content: d.Content, Mode: modeFile})
	}
	return files
}

func names(intents []*v1alpha1.TaintIntent) []string {
	all := make([]string, 0, len(intents))
	for _, intent := range intents {
		all = append(all, intent.Metadata.Name)
	}
	return all
}
