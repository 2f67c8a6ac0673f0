package daemonset

import (
	"path"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// What no option may change: the plugin can do nothing but serve the kubelet, makes nothing on a node, and never meets
// another of its kind there.
func TestEveryDaemonSetIsUnprivileged(t *testing.T) {
	count := 0
	for name, text := range goldenFiles(t) {
		if path.Base(name) != "daemonset.yaml" {
			continue
		}
		count++
		var ds appsv1.DaemonSet
		if err := yaml.UnmarshalStrict(text, &ds); err != nil {
			t.Fatal(err)
		}
		for fault, found := range faults(ds) {
			if found {
				t.Errorf("%s: %s", name, fault)
			}
		}
	}
	if count < 10 {
		t.Errorf("only %d DaemonSets were looked at", count)
	}
}

func faults(ds appsv1.DaemonSet) map[string]bool {
	pod := ds.Spec.Template.Spec
	c := pod.Containers[0]
	s := c.SecurityContext
	update := ds.Spec.UpdateStrategy.RollingUpdate
	all := map[string]bool{
		"a capability is left":          len(s.Capabilities.Drop) != 1 || s.Capabilities.Drop[0] != "ALL" || len(s.Capabilities.Add) > 0,
		"privileges may grow":           *s.AllowPrivilegeEscalation || *s.Privileged,
		"the root is writable":          !*s.ReadOnlyRootFilesystem,
		"it is not root":                *s.RunAsUser != 0,
		"no seccomp profile":            pod.SecurityContext.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault,
		"a token is mounted":            *pod.AutomountServiceAccountToken,
		"a host namespace":              pod.HostNetwork || pod.HostPID || pod.HostIPC,
		"two pods may meet on a node":   update.MaxSurge.IntVal != 0 || update.MaxUnavailable.IntVal != 1,
		"a blanket toleration":          hasBlanket(pod.Tolerations),
		"no request or no memory limit": c.Resources.Requests.Memory().IsZero() || c.Resources.Limits.Memory().IsZero(),
		"the image can be moved":        !strings.Contains(c.Image, "@sha256:"),
		"no architecture is asked for":  pod.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchExpressions[0].Key != corev1.LabelArchStable,
		"no socket folder":              true,
	}
	for _, v := range pod.Volumes {
		if v.HostPath == nil {
			continue
		}
		if v.HostPath.Type == nil || *v.HostPath.Type == corev1.HostPathUnset || *v.HostPath.Type != corev1.HostPathDirectory && v.HostPath.Path != cdiFolder {
			all["the volume "+v.Name+" may make something on the node"] = true
		}
		if v.HostPath.Path == "/var/lib/kubelet/device-plugins" {
			all["no socket folder"] = false
		}
	}
	for _, m := range c.VolumeMounts {
		writable := m.MountPath == kubeletFolder || m.MountPath == cdiFolder || m.MountPath == levelZeroFolder
		all["the mount "+m.Name+" is writable"] = !m.ReadOnly && !writable
	}
	return all
}

func hasBlanket(all []corev1.Toleration) bool {
	for _, t := range all {
		if t.Key == "" || t.Effect == "" {
			return true
		}
	}
	return false
}
