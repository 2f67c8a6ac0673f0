package rules

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

// stringPlace says what a place is called at which the API server takes strings alone; nothing when it is none.
func stringPlace(o *flux.Object, path tree.Path) string {
	n := len(path)
	at := func(back int) string {
		if back > n {
			return ""
		}
		return path[n-back]
	}
	switch {
	case at(3) == "metadata" && at(2) == "labels":
		return "a label"
	case at(3) == "metadata" && at(2) == "annotations":
		return "an annotation"
	case n == 2 && path[0] == "data" && is(o, "", "ConfigMap"):
		return "the data of a ConfigMap"
	case n == 2 && path[0] == "stringData" && is(o, "", "Secret"):
		return "the data of a Secret"
	case at(3) == "env" && at(1) == "value" && inContainer(path[:n-3]):
		return "the value of an environment variable"
	case (at(2) == "args" || at(2) == "command") && inContainer(path[:n-2]):
		return "an argument of a container"
	case at(2) == "parameters" && n == 2 && (o.Kind == "StorageClass" || o.Kind == "VolumeSnapshotClass"):
		return "a parameter of a " + o.Kind
	case at(2) == "matchLabels" || n == 3 && at(2) == "selector" && is(o, "", "Service"):
		return "a selector"
	case at(2) == "nodeSelector" && slices.Contains(path, "template"):
		return "a node selector"
	case n == 4 && is(o, fluxGroup, "Kustomization") && path[1] == "postBuild" && path[2] == "substitute":
		return "the value of a variable"
	}
	return ""
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
