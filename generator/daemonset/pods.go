package daemonset

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// daemonSet makes the DaemonSet. A rollout takes one node at a time and never runs two pods on one: on kubelets before the
// fix of kubernetes/kubernetes#127803 the old pod's end takes the resource from the new one.
func daemonSet(plugin *v1alpha1.DevicePlugin, intents []*v1alpha1.TaintIntent, c config) *appsv1.DaemonSet {
	zero, one := intstr.FromInt32(0), intstr.FromInt32(1)
	return &appsv1.DaemonSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"},
		ObjectMeta: meta(plugin, plugin.PluginName()),
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: selector(plugin)},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{
				Type:          appsv1.RollingUpdateDaemonSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxSurge: &zero, MaxUnavailable: &one},
			},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: marks(plugin), Annotations: c.annotations()},
				Spec:       podSpec(plugin, intents, c),
			},
		},
	}
}

func podSpec(plugin *v1alpha1.DevicePlugin, intents []*v1alpha1.TaintIntent, c config) corev1.PodSpec {
	spec := plugin.Spec
	return corev1.PodSpec{
		AutomountServiceAccountToken: ptr.To(false), // the plugin talks to the kubelet alone
		EnableServiceLinks:           ptr.To(false), // they would be taken for settings
		PriorityClassName:            spec.PriorityClassName,
		NodeSelector:                 spec.NodeSelector,
		Affinity:                     affinity(plugin),
		Tolerations:                  tolerations(plugin, intents),
		SecurityContext: &corev1.PodSecurityContext{
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		Containers: containers(plugin, c),
		Volumes:    volumes(plugin, c),
	}
}

// affinity keeps the pods on nodes that the image runs on, and where it is asked for on the expected nodes.
func affinity(plugin *v1alpha1.DevicePlugin) *corev1.Affinity {
	in := func(key string, values ...string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: slices.Sorted(slices.Values(values))}
	}
	wanted := []corev1.NodeSelectorRequirement{
		in(corev1.LabelArchStable, plugin.Spec.Architectures...),
		in(corev1.LabelOSStable, "linux"),
	}
	if *plugin.Spec.OnlyNodes {
		wanted = append(wanted, in(corev1.LabelHostname, plugin.Spec.Nodes...))
	}
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: wanted}},
		},
	}}
}

// tolerations are one for each taint that spec.tolerate names, and none besides: a blanket toleration would take the
// plugin to nodes that somebody keeps empty.
func tolerations(plugin *v1alpha1.DevicePlugin, intents []*v1alpha1.TaintIntent) []corev1.Toleration {
	var all []corev1.Toleration
	for _, name := range plugin.Spec.Tolerate {
		for _, taint := range taintsNamed(intents, name) {
			t := corev1.Toleration{
				Key: taint.Key, Operator: corev1.TolerationOpEqual, Value: taint.Value, Effect: corev1.TaintEffect(taint.Effect),
			}
			if taint.Value == "" {
				t.Operator = corev1.TolerationOpExists
			}
			all = append(all, t)
		}
	}
	return all
}
