package toleration

import (
	"fmt"
	"path"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// Overlay is a values file for helm -f, to stand behind the one that it is for.
type Overlay struct {
	// File is the values file that it is for: the path in the intent, joined to the folder of the intent's own file.
	File string
	// Name is the path as the first intent that names the file writes it.
	Name string
	// Intents are the names of the intents that it is made from, in their order.
	Intents []string
	// Values hold the lists that the intents are about, complete, since Helm replaces lists.
	Values *yaml.RNode
}

// Overlays carries out the entries of intents that are about values files, in order, so that a later intent sees what an
// earlier one did. read returns the content of a file. The error is for a file that cannot be read.
func Overlays(intents []*v1alpha1.TaintIntent, read func(file string) ([]byte, error)) ([]Overlay, []finding.Finding, error) {
	var files []*valuesFile
	var found []finding.Finding
	for _, intent := range intents {
		run := newRun(intent, nil)
		for _, e := range entries(intent) {
			if e.HelmValues == nil {
				continue
			}
			file := path.Join(path.Dir(intent.Position("spec").File), e.HelmValues.File)
			i := slices.IndexFunc(files, func(f *valuesFile) bool { return f.name == file })
			if i < 0 {
				opened, err := openValues(file, read)
				if err != nil {
					return nil, nil, fmt.Errorf("intent %s: %s: %w", intent.Metadata.Name, e.place, err)
				}
				opened.written = e.HelmValues.File
				i, files = len(files), append(files, opened)
			}
			if err := files[i].carryOut(run, e); err != nil {
				run.add(files[i].target.Find(finding.Error, "carrier", nil, nil, err.Error()))
			}
		}
		found = append(found, run.out.Findings...)
	}
	overlays := make([]Overlay, 0, len(files))
	for _, f := range files {
		overlays = append(overlays, Overlay{File: f.name, Name: f.written, Intents: f.intents, Values: f.overlay()})
	}
	return overlays, found, nil
}

// valuesFile is a values file with what the entries did to it.
type valuesFile struct {
	name    string
	written string // as the first intent writes it
	target  target
	root    *yaml.Node
	intents []string
	touched []tree.Path // in the order in which they were touched
}

func openValues(name string, read func(string) ([]byte, error)) (*valuesFile, error) {
	data, err := read(name)
	if err != nil {
		return nil, fmt.Errorf("read values: %w", err)
	}
	document, err := podspec.Document(data)
	if err != nil {
		line, message := tree.SyntaxFault(data, err)
		return nil, fmt.Errorf("%s: %s", finding.Source{File: name, Line: line}, message)
	}
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	if document != nil {
		root = document.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s: is %s; a values file is a mapping", name, tree.Describe(root))
	}
	item := stream.New(yaml.NewRNode(root))
	item.File = name
	return &valuesFile{name: name, root: root, target: target{Item: item}}, nil
}

func (f *valuesFile) carryOut(r *run, e carrierOf) error {
	if name := r.intent.Metadata.Name; !slices.Contains(f.intents, name) {
		f.intents = append(f.intents, name)
	}
	var slots []podspec.Slot
	for _, place := range e.HelmValues.Paths {
		slot, err := podspec.ValuesSlot(place)
		if err != nil {
			return err
		}
		slots = append(slots, slot)
		if !e.denied {
			f.touch(slot.Tolerations)
		}
	}
	before := len(r.out.Edits)
	err := r.inSlots(f.target, e, f.root, slots)
	for _, edit := range r.out.Edits[before:] {
		f.touch(edit.Path)
	}
	return err
}

func (f *valuesFile) touch(place tree.Path) {
	if !slices.ContainsFunc(f.touched, func(p tree.Path) bool { return slices.Equal(p, place) }) {
		f.touched = append(f.touched, place)
	}
}

// overlay collects what was touched. A place inside a list brings the whole list: Helm merges mappings and replaces lists.
func (f *valuesFile) overlay() *yaml.RNode {
	values := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	for _, place := range f.touched {
		for i := range place {
			if _, err := strconv.Atoi(place[i]); err == nil && isList(tree.Lookup(f.root, place[:i]...)) {
				place = place[:i]
				break
			}
		}
		if found := tree.Lookup(f.root, place...); found != nil {
			_ = tree.Set(values, place, yaml.NewRNode(found).Copy().YNode()) // the file has the same mappings on the way
		}
	}
	return yaml.NewRNode(values)
}

func isList(node *yaml.Node) bool { return node != nil && node.Kind == yaml.SequenceNode }
