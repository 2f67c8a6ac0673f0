package k3s

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// unitFolders is where systemd looks for units: an earlier folder hides a file of the same name in a later one
// (systemd.unit(5)).
var unitFolders = []string{"etc/systemd/system", "run/systemd/system", "usr/local/lib/systemd/system", "usr/lib/systemd/system"}

// Units returns the systemd units of a machine that start k3s or RKE2, by the names their installers use.
func Units(fsys fs.FS, d v1alpha1.Distribution) []string {
	names := []string{"k3s.service", "k3s-agent.service"}
	if d == v1alpha1.RKE2 {
		names = []string{"rke2-server.service", "rke2-agent.service"}
	}
	var found []string
	for _, name := range names {
		for _, dir := range unitFolders {
			if p := path.Join(dir, name); exists(fsys, p) {
				found = append(found, p)
				break
			}
		}
	}
	return found
}

// unitDropIns returns the drop-ins of a unit in the order in which systemd applies them: by name. Those of a unit of the
// machine stand in any of systemd's folders, those of another beside it.
func unitDropIns(fsys fs.FS, unit string) []string {
	folders := []string{path.Dir(unit)}
	if slices.Contains(unitFolders, folders[0]) {
		folders = unitFolders
	}
	byName := map[string]string{}
	for _, folder := range folders {
		dir := path.Join(folder, path.Base(unit)+".d")
		entries, _ := fs.ReadDir(fsys, resolve(fsys, dir)) // most units have none
		for _, e := range entries {
			if _, hidden := byName[e.Name()]; !hidden && !e.IsDir() && strings.HasSuffix(e.Name(), ".conf") {
				byName[e.Name()] = path.Join(dir, e.Name())
			}
		}
	}
	files := slices.Sorted(maps.Keys(byName))
	for i, name := range files {
		files[i] = byName[name]
	}
	return files
}

// applyDropIns reads them. One beside the unit is called by the name under which the caller knows the unit.
func (s *service) applyDropIns(fsys fs.FS, unit string) error {
	for _, name := range unitDropIns(fsys, unit) {
		content, err := fs.ReadFile(fsys, resolve(fsys, name))
		if err != nil {
			return fmt.Errorf("reading how %s is started: %w", s.program, err)
		}
		shown := name
		if path.Dir(path.Dir(name)) == path.Dir(unit) {
			shown = s.file + ".d/" + path.Base(name)
		}
		s.apply(shown, content)
	}
	return nil
}
