package rules

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/bundle"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/outdir"
	"github.com/berth-dev/berth/generator/remote"
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
				report(untold(r, strict.Item("spec.generated", i), err))
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

// untold says why what berth generate would write is not known: for a fault, or since a build would fetch something.
func untold(r *check.Repository, field string, err error) check.Finding {
	f := r.InCheck(field, "what berth generate would write cannot be told: "+sentence(r.Checkout.Local(err.Error())), "mend that, and run berth generate again")
	if remote.As(err) != nil {
		f.Action = "commit what is fetched, and refer to the copy"
		return f.As(finding.Warning)
	}
	return f
}

// compare makes what berth generate would write from the root of the repository, and holds the folder against it.
func compare(r *check.Repository, g v1alpha1.GeneratedPath) ([]outdir.Change, error) {
	local := func(p string) string { return filepath.Join(r.Dir, filepath.FromSlash(p)) }
	declared, known := r.DeclaredIn(g.Intents), r.DeclaredIn(g.NodesFrom)
	if err := v1alpha1.CheckTogether(slices.Concat(declared.Intents, known.Intents)); err != nil {
		return nil, err
	}
	var renders []bundle.Render
	for _, from := range g.From {
		items, err := render.ReadOffline(local(from))
		if err != nil {
			return nil, err
		}
		renders = append(renders, bundle.ReadRender(local(from), items))
	}
	in := bundle.Input{
		Intents: declared.Intents, Known: known.Intents, Plugins: declared.Plugins, Evidence: declared.Evidence,
		Output: local(g.Path), Read: func(file string) ([]byte, error) { return os.ReadFile(local(file)) },
	}
	files, found, err := bundle.All(in, renders)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if f.Code == "intent-missing" { // berth.yaml has a place of its own for the file
			f.Action = "name its file under nodesFrom"
		}
		if f.Severity == finding.Error {
			return nil, fmt.Errorf("%s", f)
		}
	}
	return outdir.Compare(local(g.Path), files, in.Owners())
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
