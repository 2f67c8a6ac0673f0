package rules

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/check"
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
						fmt.Sprintf("run berth generate %s --from %s -o %s", and(g.Intents), g.From, g.Path)))
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

func compare(r *check.Repository, g v1alpha1.GeneratedPath) ([]outdir.Change, error) {
	local := func(p string) string { return filepath.Join(r.Dir, filepath.FromSlash(p)) }
	intents := r.DeclaredIn(g.Intents).Intents
	items, err := render.Build(local(g.From))
	if err != nil {
		return nil, err
	}
	files, found, err := bundle.Files(intents, items)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if f.Severity == finding.Error {
			return nil, fmt.Errorf("%s", f)
		}
	}
	names := make([]string, len(intents))
	for i, intent := range intents {
		names[i] = intent.Metadata.Name
	}
	return outdir.Compare(local(g.Path), files, names)
}
