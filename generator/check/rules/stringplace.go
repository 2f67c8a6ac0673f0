package rules

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

// stringPlace says what a place is called at which the API server takes strings alone; nothing when it is none.
func stringPlace(o *flux.Object, path tree.Path) string {
	for _, known := range stringPlaces {
		if known.is(o, path) {
			return known.name
		}
	}
	return ""
}

// stringPlaces are the maps and lists of strings in the kinds of Kubernetes and Flux.
var stringPlaces = []struct {
	name string
	is   func(o *flux.Object, path tree.Path) bool
}{
	{"a label", func(_ *flux.Object, path tree.Path) bool {
		return step(path, 3) == "metadata" && step(path, 2) == "labels"
	}},
	{"an annotation", func(_ *flux.Object, path tree.Path) bool {
		return step(path, 3) == "metadata" && step(path, 2) == "annotations"
	}},
	{"the data of a ConfigMap", func(o *flux.Object, path tree.Path) bool {
		return len(path) == 2 && path[0] == "data" && is(o, "", "ConfigMap")
	}},
	{"the data of a Secret", func(o *flux.Object, path tree.Path) bool {
		return len(path) == 2 && path[0] == "stringData" && is(o, "", "Secret")
	}},
	{"the value of an environment variable", func(_ *flux.Object, path tree.Path) bool {
		return step(path, 3) == "env" && step(path, 1) == "value" && inContainer(path[:len(path)-3])
	}},
	{"an argument of a container", func(_ *flux.Object, path tree.Path) bool {
		return (step(path, 2) == "args" || step(path, 2) == "command") && inContainer(path[:len(path)-2])
	}},
	{"a parameter of a class", func(o *flux.Object, path tree.Path) bool {
		return len(path) == 2 && path[0] == "parameters" && (o.Kind == "StorageClass" || o.Kind == "VolumeSnapshotClass")
	}},
	{"a selector", func(o *flux.Object, path tree.Path) bool {
		return step(path, 2) == "matchLabels" || len(path) == 3 && path[1] == "selector" && is(o, "", "Service")
	}},
	{"a node selector", func(_ *flux.Object, path tree.Path) bool {
		return step(path, 2) == "nodeSelector" && slices.Contains(path, "template")
	}},
	{"the value of a variable", func(o *flux.Object, path tree.Path) bool {
		return len(path) == 4 && is(o, fluxGroup, "Kustomization") && path[1] == "postBuild" && path[2] == "substitute"
	}},
}

// step is a step of a path, counted from its end.
func step(path tree.Path, back int) string {
	if back > len(path) {
		return ""
	}
	return path[len(path)-back]
}

// inContainer says whether a path is that of a container in a pod.
func inContainer(path tree.Path) bool {
	return len(path) > 2 && (path[len(path)-2] == "containers" || path[len(path)-2] == "initContainers") && path[len(path)-3] == "spec"
}

// notText names what a scalar is for the API server, when it is no string; null counts as a string that is empty.
func notText(node *yaml.Node) string {
	if node.Kind != yaml.ScalarNode {
		return ""
	}
	switch node.ShortTag() {
	case yaml.NodeTagBool:
		return "a boolean"
	case yaml.NodeTagInt, yaml.NodeTagFloat:
		return "a number"
	}
	return ""
}
