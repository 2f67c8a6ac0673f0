package v1alpha1

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
)

// The kinds whose places the intent has to name.
const (
	KindHelmRelease     = "HelmRelease"     // of helm-controller
	KindHelmChart       = "HelmChart"       // of k3s
	KindHelmChartConfig = "HelmChartConfig" // of k3s
	KindKustomization   = "Kustomization"   // of kustomize-controller
	KindApplication     = "Application"     // of Argo CD
)

// helmKinds are the kinds that hold the values of a chart.
var helmKinds = []string{KindApplication, KindHelmChart, KindHelmChartConfig, KindHelmRelease}

// podsKinds are the kinds that hold patches for what they apply.
var podsKinds = []string{KindApplication, KindKustomization}

// carrier checks the places that an entry names, and that they fit the kind.
func (v *validator) carrier(path string, w Workload, c Carrier) {
	v.alone(path, c)
	v.paths(path, c)
	if c.Helm != nil {
		v.helm(path+".helm", w, *c.Helm)
	}
	if len(c.Pods) > 0 && w.Kind != "" && !slices.Contains(podsKinds, w.Kind) {
		v.fail(path+".pods", "pods is for the kinds %s, whose patches change what they apply: remove it%s", strings.Join(podsKinds, " and "), helmPodsHint(w.Kind))
	}
	v.pods(path+".pods", c.Pods)
	if c.HelmValues != nil {
		v.helmValues(path+".helmValues", *c.HelmValues)
	}
}

func helmPodsHint(kind string) string {
	if kind == KindHelmRelease {
		return ", or write it below helm"
	}
	return ""
}

// placesNeeded finds the kinds that do not say themselves where their pods are described.
func (v *validator) placesNeeded(path string, w Workload, c Carrier) {
	switch {
	case len(c.Paths) > 0 || c.Helm != nil || len(c.Pods) > 0 || c.HelmValues != nil:
	case w.Kind == KindApplication:
		v.fail(path, "an Application keeps its tolerations where its source wants them: name the places, as in helm: {values: [tolerations]}, or the pods that patches change")
	case w.Kind == KindKustomization:
		v.fail(path, "a Kustomization has no tolerations of its own: name the pods that its patches change, as in pods: [{kind: DaemonSet, name: agent}]")
	case slices.Contains(helmKinds, w.Kind):
		v.fail(path, "a %s keeps its tolerations where its chart wants them: name the places, as in helm: {values: [tolerations]}", w.Kind)
	}
}

// alone finds places that do not go together.
func (v *validator) alone(path string, c Carrier) {
	if c.HelmValues != nil && (len(c.Paths) > 0 || c.Helm != nil || len(c.Pods) > 0) {
		v.fail(path+".helmValues", "helmValues names the places in a file: write what is in an object in an entry of its own")
	}
	if len(c.Paths) > 0 && (c.Helm != nil || len(c.Pods) > 0) {
		v.fail(path+".paths", "paths and helm or pods name places in two ways: keep one, or write two entries")
	}
}

func (v *validator) helm(path string, w Workload, h Helm) {
	if w.Kind != "" && !slices.Contains(helmKinds, w.Kind) {
		v.fail(path, "helm is for the kinds %s: a %s holds no values of a chart, so remove it", strings.Join(helmKinds, ", "), w.Kind)
	}
	if len(h.Values) == 0 && len(h.Pods) == 0 {
		v.fail(path+".values", "names no place: list paths of toleration lists in the values, such as tolerations")
	}
	if len(h.Pods) > 0 && w.Kind != "" && w.Kind != KindHelmRelease {
		v.fail(path+".pods", "helm.pods is for the kind HelmRelease, which has postRenderers: a %s has none, so use helm.values", w.Kind)
	}
	v.each(path+".values", h.Values, checkValuesPath)
	v.pods(path+".pods", h.Pods)
}

// each checks a list of paths, each of which stands in it once.
func (v *validator) each(path string, list []string, rule func(string) error) {
	seen := map[string]string{}
	for i, place := range list {
		at := strict.Item(path, i)
		if err := rule(place); err != nil {
			v.fail(at, "%v", err)
		}
		if first, twice := seen[place]; twice {
			v.fail(at, "%s was listed before, %s: list it once", place, v.intent.origin.Where(first))
			continue
		}
		seen[place] = at
	}
}

func (v *validator) paths(path string, c Carrier) {
	v.each(path+".paths", c.Paths, checkObjectPath)
	for i, place := range c.NodeAffinity {
		if err := checkObjectPath(place); err != nil {
			v.fail(strict.Item(path+".nodeAffinity", i), "%v", err)
		}
	}
	if len(c.NodeAffinity) > 0 && len(c.NodeAffinity) != len(c.Paths) {
		v.fail(path+".nodeAffinity", "counts %d and paths %d: give each path its node affinity, in the same order", len(c.NodeAffinity), len(c.Paths))
	}
}
