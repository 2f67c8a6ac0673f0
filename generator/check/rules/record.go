package rules

import (
	"fmt"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/stamp"
	"github.com/berth-dev/berth/generator/tree"
)

var recordMissing = &check.Rule{
	Code: "record-missing", Group: check.Policy, Severity: finding.Error,
	Title: "The proof that Berth's function ran is missing",
	Help: `kustomize passes over an exec function without a word when --enable-exec is missing, and exits 0; kubectl kustomize has no such
flag at all. So the function adds a ConfigMap with the intent's digest to what it made, and berth generate writes the same one
into record/. With requireRecord: true in berth.yaml each environment must apply it.

Render with kustomize build --enable-alpha-plugins --enable-exec, or list the folder record/ in the kustomization.`,
	Environment: func(p *check.Pass) {
		if !p.Repository.Check.Spec.RequireRecord {
			return
		}
		for _, intent := range p.Declared.Intents {
			if recordOf(p, intent) == nil {
				p.Report(atIntent(intent, "metadata.name", fmt.Sprintf("nothing that Flux applies from %s carries the record of this intent", p.Folder()),
					"render with --enable-alpha-plugins --enable-exec, or list the folder record/ of berth generate"))
			}
		}
	},
}

var recordStale = &check.Rule{
	Code: "record-stale", Group: check.Policy, Severity: finding.Error,
	Title: "What Flux applies was made from another version of the intent",
	Help: `The record that Berth left in the render holds the digest of the intent that it was made from. The intent has changed since, and
the render has not.

Render again, or run berth generate, and commit the result together with the intent.`,
	Environment: func(p *check.Pass) {
		for _, intent := range p.Declared.Intents {
			record := recordOf(p, intent)
			if record == nil {
				continue
			}
			want := stamp.ConfigMaps(intent)[0].Data[stamp.DataDigest]
			if got := text(record.Node(), "data", stamp.DataDigest); got != want {
				p.Report(check.On(record, []string{"data", stamp.DataDigest}, fmt.Sprintf("the record is of another version of %s", intentFile(intent)),
					"render again, or run berth generate, and commit the result"))
			}
		}
	},
}

// recordOf is the ConfigMap with an intent's digest.
func recordOf(p *check.Pass, intent *v1alpha1.TaintIntent) *flux.Object {
	for o := range p.Objects() {
		if is(o, "", "ConfigMap") && text(o.Node(), "metadata", "labels", stamp.LabelIntent) == intent.Metadata.Name &&
			tree.Lookup(o.Node(), "data", stamp.DataDigest) != nil {
			return o
		}
	}
	return nil
}
