package live

import "github.com/berth-dev/berth/generator/api/v1alpha1"

// nodeLabels returns the labels that an intent wants on a node, those too that no kubelet may set on itself: an
// administrator may. None of them is nil.
func nodeLabels(intent *v1alpha1.TaintIntent, node string) map[string]string {
	labels := intent.NodeLabels(node)
	if len(labels) == 0 {
		return nil
	}
	wanted := make(map[string]string, len(labels))
	for _, label := range labels {
		wanted[label.Key] = label.Value
	}
	return wanted
}
