package bundle

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/daemonset"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
)

// Input is everything that the files of one output directory are made from.
type Input struct {
	Intents []*v1alpha1.TaintIntent
	// Known are intents that only know the nodes.
	Known    []*v1alpha1.TaintIntent
	Plugins  []*v1alpha1.DevicePlugin
	Evidence []*v1alpha1.DeviceEvidence
	// Output is the directory, which is only looked at for names that are taken beside the plugins' Flux Kustomizations.
	Output string
	// Read returns the content of a values file.
	Read func(file string) ([]byte, error)
}

// All makes all files: those of the intents first, so that the plugins' patches fit what the intents' leave. A Component is
// verified before anything else is edited, as long as no other one has to come before it. With an error among the findings
// the files must not be used.
func All(in Input, renders []Render) ([]File, []finding.Finding, error) {
	var files []File
	var found []finding.Finding
	if len(in.Intents) > 0 {
		var err error
		if files, found, err = Files(in.Intents, renders); err != nil {
			return nil, nil, err
		}
		if found, err = verified(renders, files, "component", found); err != nil {
			return nil, nil, err
		}
		overlays, overlaysFound, err := ValuesFiles(in.Intents, in.Read)
		if err != nil {
			return nil, nil, err
		}
		files, found = append(files, overlays...), append(found, overlaysFound...)
	}
	more, moreFound, err := Plugins(in.Plugins, daemonset.Input{
		Intents: slices.Concat(in.Intents, in.Known), Evidence: in.Evidence, Others: in.Plugins, Neighbours: in.neighbours(),
	}, renders)
	if err != nil {
		return nil, nil, err
	}
	if len(in.Plugins) == 1 && len(in.Intents) == 0 && len(in.Plugins[0].Spec.Consumers) > 0 {
		if moreFound, err = verified(renders, more, daemonset.Component(in.Plugins[0]), moreFound); err != nil {
			return nil, nil, err
		}
	}
	return append(files, more...), append(found, moreFound...), nil
}

// verified adds what building with a Component shows, unless there is an error already.
func verified(renders []Render, files []File, component string, found []finding.Finding) ([]finding.Finding, error) {
	if finding.HasErrors(found) {
		return found, nil
	}
	more, err := Verify(renders, files, component)
	return append(found, more...), err
}

// Owners are the names in the headers of the files.
func (in Input) Owners() []string {
	owners := names(in.Intents)
	for _, plugin := range in.Plugins {
		owners = append(owners, daemonset.Owner(plugin))
	}
	return owners
}

// neighbours reads what stands beside the Flux Kustomizations of the plugins, where a name may be taken. A file that cannot
// be read as YAML is none of theirs.
func (in Input) neighbours() []*stream.Item {
	var all []*stream.Item
	folders := map[string]bool{}
	for _, plugin := range in.Plugins {
		if plugin.Spec.Flux == nil {
			continue
		}
		folder := filepath.Join(in.Output, filepath.FromSlash(path.Dir(plugin.Spec.Flux.File)))
		if folders[folder] {
			continue
		}
		folders[folder] = true
		files, _ := filepath.Glob(filepath.Join(folder, "*.y*ml")) // fails for a bad pattern only
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			if items, err := stream.ReadDocuments(file, text); err == nil {
				all = append(all, items...)
			}
		}
	}
	return all
}
