package rules

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/daemonset"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/outdir"
	"github.com/berth-dev/berth/generator/render"
)

var generatedStale = &check.Rule{
	Code: "generated-stale", Group: check.Policy, Severity: finding.Error,
	Title: "Generated files are not what berth generate would write today",
	Help: `Flux runs no plugin, so what it reads is what berth generate wrote and somebody committed. When the intent or the base changes
afterwards, or the files are edited, the two no longer agree.

Run berth generate with the intents, --from and --output that spec.generated of berth.yaml names, and commit the result.`,
	Repository: func(r *check.Repository, report func(check.Finding)) {
		for i, g := range r.Check.Spec.Generated {
			changes, err := compare(r, g)
			if err != nil {
				report(r.InCheck(strict.Item("spec.generated", i), "what berth generate would write cannot be told: "+sentence(err.Error()), "mend that, and run berth generate again"))
				continue
			}
			for _, c := range changes {
				if what := stateOf[c.State]; what != "" {
					report(check.At(finding.Source{File: path.Join(g.Path, c.Path)}, what,
						"run "+command(g)))
				}
			}
		}
	},
}

// stateOf says what is wrong with a file.
var stateOf = map[outdir.State]string{
	outdir.Missing: "the generated file is missing",
	outdir.Differs: "the file is not what berth generate would write today",
	outdir.Stale:   "berth generate would remove this file: the intents no longer ask for it",
	outdir.Foreign: "a file that Berth did not write is in the way of a generated one",
}

// compare makes what berth generate would write: the files of the intents first, so that those of the plugins fit what the
// intents leave.
func compare(r *check.Repository, g v1alpha1.GeneratedPath) ([]outdir.Change, error) {
	local := func(p string) string { return filepath.Join(r.Dir, filepath.FromSlash(p)) }
	declared, known := r.DeclaredIn(g.Intents), r.DeclaredIn(g.NodesFrom)
	var renders []bundle.Render
	for _, from := range g.From {
		items, err := render.Build(local(from))
		if err != nil {
			return nil, err
		}
		renders = append(renders, bundle.ReadRender(local(from), items))
	}
	var files []bundle.File
	var found []finding.Finding
	var err error
	if len(declared.Intents) > 0 {
		if files, found, err = bundle.Files(declared.Intents, renders); err != nil {
			return nil, err
		}
	}
	more, moreFound, err := bundle.Plugins(declared.Plugins, daemonset.Input{
		Intents: slices.Concat(declared.Intents, known.Intents), Evidence: declared.Evidence, Others: declared.Plugins,
	}, renders)
	if err != nil {
		return nil, err
	}
	for _, f := range slices.Concat(found, moreFound) {
		if f.Code == "intent-missing" { // berth.yaml has a place of its own for the file
			f.Action = "name its file under nodesFrom"
		}
		if f.Severity == finding.Error {
			return nil, fmt.Errorf("%s", f)
		}
	}
	return outdir.Compare(local(g.Path), append(files, more...), owners(declared))
}

// owners are the names in the headers of the files.
func owners(d *check.Declared) []string {
	var names []string
	for _, intent := range d.Intents {
		names = append(names, intent.Metadata.Name)
	}
	for _, plugin := range d.Plugins {
		names = append(names, daemonset.Owner(plugin))
	}
	return names
}

// command is the command line that makes a folder.
func command(g v1alpha1.GeneratedPath) string {
	words := slices.Concat([]string{"berth", "generate"}, g.Intents)
	for _, from := range g.From {
		words = append(words, "--from", from)
	}
	for _, file := range g.NodesFrom {
		words = append(words, "--intent", file)
	}
	return strings.Join(append(words, "-o", g.Path), " ")
}
