package placementtest

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// Text writes objects as documents of a YAML stream.
func Text(objects ...any) (string, error) {
	var out strings.Builder
	for _, o := range objects {
		data, err := yaml.Marshal(o)
		if err != nil {
			return "", err
		}
		out.WriteString("---\n" + string(data))
	}
	return out.String(), nil
}

// Workload wraps a pod spec in an object of a kind: Deployment, DaemonSet, Pod, or StaticPod for a pod that the kubelet
// runs from a file.
func Workload(kind, name string, spec corev1.PodSpec) any {
	metadata := map[string]any{"name": name, "namespace": Namespace}
	switch kind {
	case "StaticPod":
		metadata["annotations"] = map[string]string{"kubernetes.io/config.source": "file"}
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
	case "Pod":
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
	}
	labels := map[string]string{"app": name}
	template := map[string]any{"metadata": map[string]any{"labels": labels}, "spec": spec}
	selector := map[string]any{"matchLabels": labels}
	return map[string]any{"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": map[string]any{"selector": selector, "template": template}}
}

// Namespace is where the workloads are.
const Namespace = "apps"

// Kinds are what Workload can make.
var Kinds = []string{"Deployment", "DaemonSet", "Pod", "StaticPod"}
