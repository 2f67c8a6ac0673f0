package rules

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

// podSpec is the pod spec of one of Kubernetes' own workloads, and its path.
func podSpec(o *flux.Object) (tree.Path, *yaml.Node) {
	var path tree.Path
	switch {
	case is(o, "", "Pod"):
		path = tree.Path{"spec"}
	case o.Group() == "batch" && o.Kind == "CronJob":
		path = tree.Path{"spec", "jobTemplate", "spec", "template", "spec"}
	case o.Group() == "apps" || o.Group() == "batch" || is(o, "", "ReplicationController"):
		path = tree.Path{"spec", "template", "spec"}
	default:
		return nil, nil
	}
	spec := tree.Lookup(o.Node(), path...)
	if spec == nil || spec.Kind != yaml.MappingNode {
		return nil, nil
	}
	return path, spec
}

// eachContainer goes through the containers of a pod, init containers included.
func eachContainer(spec *yaml.Node, found func(list string, i int, container *yaml.Node)) {
	for _, list := range []string{"initContainers", "containers"} {
		for i, container := range items(tree.Lookup(spec, list)) {
			found(list, i, container)
		}
	}
}

// imagesOf are the images of a workload.
func imagesOf(o *flux.Object) []string {
	var all []string
	_, spec := podSpec(o)
	eachContainer(spec, func(_ string, _ int, container *yaml.Node) { all = append(all, text(container, "image")) })
	return all
}

// mountsPluginFolder says whether a pod sees the folder in which the kubelet meets device plugins.
func mountsPluginFolder(o *flux.Object) bool {
	_, spec := podSpec(o)
	for _, volume := range items(tree.Lookup(spec, "volumes")) {
		if strings.HasSuffix(strings.TrimSuffix(text(volume, "hostPath", "path"), "/"), "/kubelet/device-plugins") {
			return true
		}
	}
	return false
}
