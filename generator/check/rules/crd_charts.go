package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
)

// reportCharts finds custom resources that stand in one Kustomization with the HelmRelease of the chart that brings their
// CRDs: one finding for each release.
func reportCharts(p *check.Pass, o *order, defined map[string][]*flux.Kustomization) {
	if comesFromElsewhere(p) {
		return
	}
	for _, h := range p.HelmReleases {
		groups := chartGroups[chartOf(h)]
		if len(groups) == 0 || withoutCRDs(h) {
			continue
		}
		var own []*flux.Object
		for _, cr := range h.Object.Kustomization.Objects {
			if slices.Contains(groups, cr.Group()) && len(defined[kindOf(cr)]) == 0 && !madeEarlier(p, o, h, cr) {
				own = append(own, cr)
			}
		}
		if len(own) > 0 {
			reportChart(p, h, own)
		}
	}
}

func reportChart(p *check.Pass, h *flux.HelmRelease, own []*flux.Object) {
	what, k := own[0].Kind, own[0].Kustomization
	if n := len(own) - 1; n > 0 {
		what = fmt.Sprintf("%s and of %d more objects", what, n)
	}
	p.Report(check.On(own[0], nil,
		fmt.Sprintf("the kind of this %s comes with the chart of %s, and both stand in Kustomization %s: unless the CRDs are installed by other means, its pass can never succeed on a new cluster",
			what, h.Object.Object, k.ID),
		fmt.Sprintf("move it to a Kustomization of its own that depends on %s", k.Name)).As(finding.Warning))
}

// comesFromElsewhere says whether CRDs may come from something that the checkout does not show.
func comesFromElsewhere(p *check.Pass) bool {
	return slices.ContainsFunc(p.Unseen, func(u flux.Unseen) bool {
		return u.Kind == flux.UnseenSource || u.Kind == flux.UnseenRemoteBase
	})
}

// madeEarlier says whether another release of a chart with the kind's CRDs comes first.
func madeEarlier(p *check.Pass, o *order, h *flux.HelmRelease, cr *flux.Object) bool {
	return slices.ContainsFunc(p.HelmReleases, func(other *flux.HelmRelease) bool {
		return other != h && slices.Contains(chartGroups[chartOf(other)], cr.Group()) && other.Object.Kustomization != cr.Kustomization &&
			o.after(cr.Kustomization, other.Object.Kustomization)
	})
}

// withoutCRDs says whether the release's values keep the chart from installing CRDs.
func withoutCRDs(h *flux.HelmRelease) bool {
	if h.Values["installCRDs"] == false {
		return true
	}
	crds, ok := h.Values["crds"].(map[string]any)
	return ok && (crds["enabled"] == false || crds["install"] == false)
}

// chartOf is the name of a release's chart; that of the referred source for an OCI chart.
func chartOf(h *flux.HelmRelease) string {
	switch {
	case h.Spec.Chart != nil:
		chart := h.Spec.Chart.Spec.Chart
		return chart[strings.LastIndex(chart, "/")+1:]
	case h.Spec.ChartRef != nil:
		return h.Spec.ChartRef.Name
	}
	return ""
}
