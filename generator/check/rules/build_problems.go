package rules

import (
	"fmt"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

var pathNotFound = &check.Rule{
	Code: "path-not-found", Group: check.Shape, Severity: finding.Error,
	Title: "A Kustomization's path does not exist",
	Help: `spec.path names a folder of the source. There is none of that name in this checkout: it was renamed, or .sourceignore or the
source's spec.ignore leaves it out. The Kustomization fails, and everything that depends on it waits.

Correct the path.`,
	Environment: func(p *check.Pass) {
		eachProblem(p, flux.PathNotFound, func(k *flux.Kustomization, _ flux.Problem) {
			p.Report(check.OnKustomization(k, []string{"spec", "path"},
				fmt.Sprintf("there is no folder %s in this checkout", k.Path), "correct spec.path"+stalled(p, k)))
		})
	},
}

// stalled says what stands still when a Kustomization never becomes ready.
func stalled(p *check.Pass, k *flux.Kustomization) string {
	held := p.Graph().Stalls(k.ID).Held
	if len(held) == 0 {
		return ""
	}
	names := make([]string, len(held))
	for i, h := range held {
		names[i] = h.ID.Name
	}
	return fmt.Sprintf("; %s cannot go on until then", some(names, 3))
}

var buildFailed = &check.Rule{
	Code: "build-failed", Group: check.Shape, Severity: finding.Error,
	Title: "kustomize refuses a Kustomization's folder",
	Help: `The build fails as it would in the cluster; the message is kustomize's own. Nothing of the Kustomization is applied, and
everything that depends on it waits.

Flux runs no plugins: a kustomization.yaml with an exec or container function under transformers: or generators: fails with
"external plugins disabled". Run the function before the commit (berth generate) and commit what it writes.`,
	Environment: func(p *check.Pass) {
		eachProblem(p, flux.BuildFailed, func(k *flux.Kustomization, problem flux.Problem) {
			f := check.OnKustomization(k, nil, "the folder "+k.Path+" cannot be built: "+sentence(problem.Message),
				remedy(k.Path, problem.Message)+stalled(p, k))
			f.Source = refusedFile(p, k.Path, problem.Message)
			p.Report(f)
		})
	},
}

var kustomizationInvalid = &check.Rule{
	Code: "kustomization-invalid", Group: check.Shape, Severity: finding.Error,
	Title: "A Flux Kustomization cannot be read",
	Help: `The object does not have the shape that the API of Flux wants, so that the API server refuses it, or the controller cannot
read it. A usual cause is a number or boolean as the value of a variable in spec.postBuild.substitute: quote it.`,
	Environment: func(p *check.Pass) {
		eachProblem(p, flux.NotDecodable, func(k *flux.Kustomization, problem flux.Problem) {
			p.Report(check.OnKustomization(k, nil, sentence(problem.Message), "correct the object"))
		})
	},
}

var remoteBase = &check.Rule{
	Code: "remote-base", Group: check.Devices, Severity: finding.Warning,
	Title: "A kustomization.yaml refers to a URL",
	Help: `A remote base is fetched by kustomize-controller at every reconcile. When the fetch fails, the whole Kustomization fails, and
everything behind it waits; what it brings can change without a commit, and nobody sees it offline.

A file that a generator, a patch or a transformer takes from a URL is fetched in the same way. Without it the folder cannot be
built, so nothing in it is checked.

Vendor it: commit the output of kustomize build for a fixed version, or use a GitRepository or OCIRepository with a fixed
ref, which keeps the last artifact.`,
	Environment: func(p *check.Pass) {
		eachProblem(p, flux.RemoteBase, func(_ *flux.Kustomization, problem flux.Problem) {
			p.Report(check.At(problem.Source, sentence(problem.Message), "commit its output, or make it a source of Flux with a fixed ref"))
		})
		eachProblem(p, flux.RemoteFile, func(_ *flux.Kustomization, problem flux.Problem) {
			p.Report(check.At(problem.Source, sentence(problem.Message), "commit the file, and refer to the copy"))
		})
	},
}
