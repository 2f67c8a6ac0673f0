package daemonset

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

const daemonSetFile = "daemonset.yaml"

func describe(object Object) string {
	switch object.Name {
	case "namespace.yaml":
		return "the namespace of a device plugin"
	case daemonSetFile:
		return "the DaemonSet of a device plugin"
	case "podmonitor.yaml":
		return "how Prometheus finds a device plugin"
	}
	return "the configuration of a device plugin"
}

// notes tell, where people look, what the object cannot say by itself.
func notes(plugin *v1alpha1.DevicePlugin, object Object) []string {
	switch object.Name {
	case "namespace.yaml":
		return []string{"", "Pod Security admission has to permit hostPath volumes here, which the level baseline does not."}
	case daemonSetFile:
		return []string{
			"",
			"It makes nodes offer " + strings.Join(plugin.Claims(), ", ") + ".",
			"A pod that asks for more than any node offers is Unschedulable, and a Flux tier with wait: true",
			"stands still with it: switch consumers only when every node was seen to offer the resource.",
			"A resource that is renamed stays on the nodes with the count 0, since the kubelet never deletes one.",
		}
	}
	return nil
}

func fluxNotes(plugin *v1alpha1.DevicePlugin) []string {
	lines := []string{"", "List it in the kustomization.yaml of this folder."}
	if *plugin.Spec.Flux.Wait {
		lines = append(lines,
			"wait: true is a signal, not a gate: Ready says that the plugin runs on every node. It gates nothing as",
			"long as nothing depends on it, and nothing should. Ready does not say that a node offers a device.")
	}
	return lines
}

// reasons are the comments inside the DaemonSet, by the field that they stand before.
var reasons = []struct{ path, text string }{
	{"spec.updateStrategy", "One node after the other, and never two pods on one: the end of the old pod can take the resource\nfrom the new one (kubernetes/kubernetes#127803)."},
	{"spec.template.spec.automountServiceAccountToken", "The plugin talks to the kubelet alone."},
	{"spec.template.spec.volumes", "Types that make nothing on a node. The first path is compiled into the kubelet, and the same everywhere."},
	{"spec.template.spec.containers[0].securityContext", "Root, to whom the kubelet's socket belongs, without anything else that root could do. No device is opened."},
}

// explained returns a copy with the reasons in it.
func explained(object *yaml.RNode) *yaml.RNode {
	node := object.Copy()
	for _, reason := range reasons {
		path, err := tree.Parse(reason.path)
		if err != nil {
			continue // a test parses every one
		}
		parent := tree.Lookup(node.YNode(), path[:len(path)-1]...)
		if parent == nil {
			continue
		}
		for i := 0; i < len(parent.Content); i += 2 {
			if key := parent.Content[i]; key.Value == path[len(path)-1] {
				key.HeadComment = "# " + strings.ReplaceAll(reason.text, "\n", "\n# ")
			}
		}
	}
	return node
}
