package daemonset

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/manifest"
	"github.com/berth-dev/berth/generator/stream"
)

// The labels and annotations of what Berth writes.
const (
	// LabelManagedBy has the value berth on everything that Berth adds.
	LabelManagedBy = "app.kubernetes.io/managed-by"
	// LabelPlugin holds the name of the DevicePlugin.
	LabelPlugin = v1alpha1.LabelDevicePlugin
	// AnnotationConfig holds the digest of the plugin's configuration, so that a change of it rolls the pods.
	AnnotationConfig = "berth.dev/config-digest"

	labelName   = "app.kubernetes.io/name"
	enforce     = "pod-security.kubernetes.io/enforce"
	managedBy   = "berth"
	metricsPort = "metrics"
)

// Wrote tells whether an earlier run for the plugin made an item.
func Wrote(plugin *v1alpha1.DevicePlugin, item *stream.Item) bool {
	return item.Labels[LabelManagedBy] == managedBy && item.Labels[LabelPlugin] == plugin.Metadata.Name
}

// objects makes all objects of a plugin, in the order in which they are to be applied.
func objects(plugin *v1alpha1.DevicePlugin, intents []*v1alpha1.TaintIntent) ([]Object, error) {
	type named struct {
		name   string
		object any
	}
	all := []named{{"namespace.yaml", namespace(plugin)}}
	config, err := newConfig(plugin)
	if err != nil {
		return nil, err
	}
	if config.file != nil {
		all = append(all, named{"config.yaml", configMap(plugin, config)})
	}
	all = append(all, named{"daemonset.yaml", daemonSet(plugin, intents, config)})
	if plugin.Spec.PodMonitor != nil {
		all = append(all, named{"podmonitor.yaml", podMonitor(plugin)})
	}
	out := make([]Object, 0, len(all)+1)
	for _, n := range all {
		node, err := manifest.Node(n.object)
		if err != nil {
			return nil, err
		}
		out = append(out, Object{Name: n.name, Node: node})
	}
	if plugin.Spec.Flux == nil {
		return out, nil
	}
	node, err := manifest.Node(kustomization(plugin))
	if err != nil {
		return nil, err
	}
	return append(out, Object{Name: plugin.Spec.Flux.Name + ".yaml", Node: node, Flux: true}), nil
}

func marks(plugin *v1alpha1.DevicePlugin) map[string]string {
	return map[string]string{
		labelName:      plugin.PluginName(),
		LabelManagedBy: managedBy,
		LabelPlugin:    plugin.Metadata.Name,
	}
}

// selector is what tells the plugin's pods from others. It can never be changed, so that it has one label only.
func selector(plugin *v1alpha1.DevicePlugin) map[string]string {
	return map[string]string{labelName: plugin.PluginName()}
}

func meta(plugin *v1alpha1.DevicePlugin, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: plugin.Spec.TargetNamespace, Labels: marks(plugin)}
}

// namespace carries the level that Pod Security has to enforce there. Where baseline is enforced, the DaemonSet has no pod
// and the reason stands in its events alone.
func namespace(plugin *v1alpha1.DevicePlugin) *corev1.Namespace {
	labels := marks(plugin)
	labels[enforce] = "privileged"
	maps.Copy(labels, plugin.Spec.NamespaceLabels)
	return &corev1.Namespace{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
		ObjectMeta: metav1.ObjectMeta{Name: plugin.Spec.TargetNamespace, Labels: labels},
	}
}

func configMap(plugin *v1alpha1.DevicePlugin, c config) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: meta(plugin, plugin.PluginName()),
		Data:       map[string]string{configFile: string(c.file)},
	}
}

// podMonitor is for the Prometheus operator, whose types are left out for their size.
func podMonitor(plugin *v1alpha1.DevicePlugin) map[string]any {
	labels := marks(plugin)
	maps.Copy(labels, plugin.Spec.PodMonitor.Labels)
	endpoint := map[string]any{"port": metricsPort}
	if interval := plugin.Spec.PodMonitor.Interval; interval != "" {
		endpoint["interval"] = interval
	}
	return map[string]any{
		"apiVersion": "monitoring.coreos.com/v1", "kind": "PodMonitor",
		"metadata": map[string]any{"name": plugin.PluginName(), "namespace": plugin.Spec.TargetNamespace, "labels": labels},
		"spec": map[string]any{
			"selector":            map[string]any{"matchLabels": selector(plugin)},
			"podMetricsEndpoints": []any{endpoint},
		},
	}
}
