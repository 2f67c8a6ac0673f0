package daemonset

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

const (
	// kubeletFolder is compiled into the kubelet and follows no --root-dir (kubernetes/kubernetes#120626): it is the same on
	// k3s, k0s and RKE2, and inside the container.
	kubeletFolder   = "/var/lib/kubelet/device-plugins"
	levelZeroFolder = "/var/lib/levelzero"
	cdiFolder       = "/var/run/cdi"
	// hostFolder is where Berth's plugin sees the node's /dev and /sys (its -prefix).
	hostFolder = "/host"
	configPath = "/etc/berth-device-plugin"
)

// folder is a folder of the node in the plugin's container.
type folder struct {
	name, path, mount string
	writable          bool
	kind              corev1.HostPathType
}

// folders are those of a preset. Directory makes nothing on the node. A pod waits for a folder that is not there, so that
// Berth's plugin gets /dev, which is always there, and runs on a node without a device too; mounting /dev/dri would also
// miss what comes after a driver was unbound, since the kernel then makes another folder of that name.
func folders(preset v1alpha1.Preset) []folder {
	kubelet := folder{name: "kubelet", path: kubeletFolder, mount: kubeletFolder, writable: true, kind: corev1.HostPathDirectory}
	if preset != v1alpha1.IntelGPUUpstream {
		return []folder{
			kubelet,
			{name: "dev", path: "/dev", mount: hostFolder + "/dev", kind: corev1.HostPathDirectory},
			{name: "sys", path: "/sys", mount: hostFolder + "/sys", kind: corev1.HostPathDirectory},
		}
	}
	return []folder{
		kubelet,
		{name: "dri", path: "/dev/dri", mount: "/dev/dri", kind: corev1.HostPathDirectory},
		{name: "drm", path: "/sys/class/drm", mount: "/sys/class/drm", kind: corev1.HostPathDirectory},
		{name: "cdi", path: cdiFolder, mount: cdiFolder, writable: true, kind: corev1.HostPathDirectoryOrCreate},
	}
}

func volumes(plugin *v1alpha1.DevicePlugin, c config) []corev1.Volume {
	var all []corev1.Volume
	for _, f := range folders(plugin.Spec.Preset) {
		source := corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: f.path, Type: ptr.To(f.kind)}}
		all = append(all, corev1.Volume{Name: f.name, VolumeSource: source})
	}
	if c.file != nil {
		source := corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: plugin.PluginName()},
		}}
		all = append(all, corev1.Volume{Name: "config", VolumeSource: source})
	}
	if plugin.Spec.HealthManagement != nil {
		all = append(all, corev1.Volume{Name: "levelzero", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
	}
	return all
}

func mounts(plugin *v1alpha1.DevicePlugin, c config) []corev1.VolumeMount {
	var all []corev1.VolumeMount
	for _, f := range folders(plugin.Spec.Preset) {
		mount := corev1.VolumeMount{Name: f.name, MountPath: f.mount, ReadOnly: !f.writable}
		if f.path == "/dev" {
			// /dev/shm and others are file systems of their own, which read-only alone leaves writable.
			mount.RecursiveReadOnly = ptr.To(corev1.RecursiveReadOnlyIfPossible)
		}
		all = append(all, mount)
	}
	if c.file != nil {
		all = append(all, corev1.VolumeMount{Name: "config", MountPath: configPath, ReadOnly: true})
	}
	if plugin.Spec.HealthManagement != nil {
		all = append(all, corev1.VolumeMount{Name: "levelzero", MountPath: levelZeroFolder})
	}
	return all
}
