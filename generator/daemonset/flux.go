package daemonset

import (
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

const (
	fluxGroup         = "kustomize.toolkit.fluxcd.io"
	fluxAPIVersion    = fluxGroup + "/v1"
	kindKustomization = "Kustomization"
)

// kustomization makes the Flux Kustomization. Its wait is a signal and no gate as long as nothing depends on it.
func kustomization(plugin *v1alpha1.DevicePlugin) map[string]any {
	f := plugin.Spec.Flux
	source := map[string]any{"kind": f.SourceRef.Kind, "name": f.SourceRef.Name}
	if f.SourceRef.Namespace != "" {
		source["namespace"] = f.SourceRef.Namespace
	}
	spec := map[string]any{
		"interval": f.Interval, "retryInterval": f.RetryInterval, "timeout": f.Timeout,
		"path": f.Path, "prune": true, "wait": *f.Wait, "sourceRef": source,
	}
	if dependsOn := dependsOn(f); len(dependsOn) > 0 {
		spec["dependsOn"] = dependsOn
	}
	if from := substituteFrom(f); len(from) > 0 {
		spec["postBuild"] = map[string]any{"substituteFrom": from}
	}
	return map[string]any{
		"apiVersion": fluxAPIVersion, "kind": kindKustomization,
		"metadata": map[string]any{"name": f.Name, "namespace": f.Namespace, "labels": marks(plugin)},
		"spec":     spec,
	}
}

func dependsOn(f *v1alpha1.FluxKustomization) []any {
	all := make([]any, 0, len(f.DependsOn))
	for _, name := range f.DependsOn {
		entry := map[string]any{"name": name}
		if namespace, short, found := strings.Cut(name, "/"); found {
			entry = map[string]any{"name": short, "namespace": namespace}
		}
		all = append(all, entry)
	}
	return all
}

func substituteFrom(f *v1alpha1.FluxKustomization) []any {
	all := make([]any, 0, len(f.SubstituteFrom))
	for _, name := range f.SubstituteFrom {
		all = append(all, map[string]any{"kind": "ConfigMap", "name": name})
	}
	return all
}
