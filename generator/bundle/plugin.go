package bundle

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/daemonset"
	"github.com/berth-dev/berth/generator/finding"
)

// Plugins returns the files of some device plugins, sorted by path, and what there is to say about them. With an error
// among the findings the files must not be used. The renders are edited on the way, so that a later plugin sees
// what an earlier one did.
func Plugins(plugins []*v1alpha1.DevicePlugin, in daemonset.Input, renders []Render) ([]File, []finding.Finding, error) {
	in.Items = allItems(renders)
	selectors := newTargets(renders)
	var files []File
	var found []finding.Finding
	for _, plugin := range plugins {
		out, err := daemonset.Generate(plugin, in)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, out.Findings...)
		if finding.HasErrors(out.Findings) {
			continue
		}
		written, err := daemonset.Files(plugin, out, selectors.of)
		if err != nil {
			return nil, nil, fmt.Errorf("DevicePlugin %s: %w", plugin.Metadata.Name, err)
		}
		for _, f := range written {
			files = append(files, File{Path: f.Path, Content: f.Content, Mode: modeFile})
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, found, nil
}
