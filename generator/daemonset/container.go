package daemonset

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// The port on which Berth's plugin answers /metrics, /healthz and /readyz; it is the default of its -listen.
const port = 8080

func containers(plugin *v1alpha1.DevicePlugin, c config) []corev1.Container {
	spec := plugin.Spec
	main := corev1.Container{
		Name:            plugin.PluginName(),
		Image:           spec.Image,
		ImagePullPolicy: corev1.PullIfNotPresent,
		Args:            c.args,
		Resources:       resources(spec.Resources),
		SecurityContext: unprivileged(spec.SELinuxType),
		VolumeMounts:    mounts(plugin, c),
	}
	if spec.Preset != v1alpha1.IntelGPUUpstream { // Intel's image serves neither metrics nor probes
		main.Ports = []corev1.ContainerPort{{Name: metricsPort, ContainerPort: port, Protocol: corev1.ProtocolTCP}}
		main.LivenessProbe = probe("/healthz", 10, 3)
		main.ReadinessProbe = probe("/readyz", 2, 3)
	}
	if spec.HealthManagement == nil {
		return []corev1.Container{main}
	}
	return []corev1.Container{main, levelZero(spec.HealthManagement.Image)}
}

// probe asks often enough for a rollout to go on as soon as the plugin is registered, which takes milliseconds.
func probe(path string, period, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromString(metricsPort)}},
		PeriodSeconds: period, FailureThreshold: failures, TimeoutSeconds: 2,
	}
}

// unprivileged is root, since the kubelet's folder and socket belong to it, without anything else that root could do.
func unprivileged(seLinuxType string) *corev1.SecurityContext {
	s := &corev1.SecurityContext{
		AllowPrivilegeEscalation: ptr.To(false),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		Privileged:               ptr.To(false),
		ReadOnlyRootFilesystem:   ptr.To(true),
		RunAsUser:                ptr.To(int64(0)),
		RunAsGroup:               ptr.To(int64(0)),
	}
	if seLinuxType != "" {
		s.SELinuxOptions = &corev1.SELinuxOptions{Type: seLinuxType}
	}
	return s
}

// levelZero is Intel's sidecar, which opens every GPU, and for that is privileged.
func levelZero(image string) corev1.Container {
	return corev1.Container{
		Name: "levelzero", Image: image, ImagePullPolicy: corev1.PullIfNotPresent, Args: []string{"-v=2"},
		Resources: resources(&v1alpha1.ContainerResources{
			Requests: map[string]string{"cpu": "25m", "memory": "50Mi"}, Limits: map[string]string{"cpu": "50m", "memory": "100Mi"},
		}),
		SecurityContext: &corev1.SecurityContext{Privileged: ptr.To(true), ReadOnlyRootFilesystem: ptr.To(true)},
		VolumeMounts:    []corev1.VolumeMount{{Name: "levelzero", MountPath: levelZeroFolder}},
	}
}

func resources(r *v1alpha1.ContainerResources) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Requests: quantities(r.Requests), Limits: quantities(r.Limits)}
}

// quantities were validated with the plugin.
func quantities(all map[string]string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for name, text := range all {
		list[corev1.ResourceName(name)] = resource.MustParse(text)
	}
	return list
}
