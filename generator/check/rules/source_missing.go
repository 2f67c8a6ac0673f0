package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

var sourceMissing = &check.Rule{
	Code: "source-missing", Group: check.Shape, Severity: finding.Error,
	Title: "A sourceRef names a source that nothing makes",
	Help: `A Kustomization or HelmRelease waits for ever for a source that does not exist. Nothing in the environment makes one of that
kind, namespace and name. A HelmRelease looks in its own namespace when the reference names none.

When a part of the environment cannot be seen offline the source may be in there, and the finding is a warning.`,
	Environment: func(p *check.Pass) {
		severity := finding.Error
		if partlyUnseen(p) {
			severity = finding.Warning
		}
		for _, k := range p.Kustomizations {
			if k.Object == nil || k.Source.Available || k.Source.Kind == "" || k.Source.Kind == "ExternalArtifact" {
				continue
			}
			if p.Object(sourceGroup, k.Source.Kind, k.Source.Namespace, k.Source.Name) == nil {
				p.Report(check.OnKustomization(k, []string{"spec", "sourceRef"}, k.Source.String()+" is made by nothing in this environment",
					"correct the reference, or add the source").As(severity))
			}
		}
		for _, h := range p.HelmReleases {
			reportChartSource(p, h, severity)
		}
	},
}

const sourceGroup = "source.toolkit.fluxcd.io"

func reportChartSource(p *check.Pass, h *flux.HelmRelease, severity finding.Severity) {
	kind, namespace, name, path := "", "", "", tree.Path{"spec", "chart", "spec", "sourceRef"}
	switch {
	case h.Spec.Chart != nil:
		ref := h.Spec.Chart.Spec.SourceRef
		kind, namespace, name = ref.Kind, ref.Namespace, ref.Name
	case h.Spec.ChartRef != nil:
		ref := h.Spec.ChartRef
		kind, namespace, name, path = ref.Kind, ref.Namespace, ref.Name, tree.Path{"spec", "chartRef"}
	}
	namespace = cmp.Or(namespace, h.Namespace)
	if kind == "" || name == "" || kind == "ExternalArtifact" || p.Object(sourceGroup, kind, namespace, name) != nil {
		return
	}
	p.Report(check.On(h.Object, path, fmt.Sprintf("%s %s/%s is made by nothing in this environment", kind, namespace, name),
		"correct the reference, or add the source").As(severity))
}

// partlyUnseen says whether objects may be applied that the checkout does not show.
func partlyUnseen(p *check.Pass) bool {
	hidden := []flux.UnseenKind{flux.UnseenSource, flux.UnseenRemoteBase, flux.UnseenResourceSet}
	failed := slices.ContainsFunc(p.Kustomizations, func(k *flux.Kustomization) bool { return !k.Built })
	return failed || slices.ContainsFunc(p.Unseen, func(u flux.Unseen) bool { return slices.Contains(hidden, u.Kind) })
}
