package v1alpha1

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

// architectures are the values of kubernetes.io/arch: those for which there are kubelets.
var architectures = []string{"386", "amd64", "arm", "arm64", "ppc64le", "riscv64", "s390x"}

// ownNamespaces are Kubernetes's: a Kustomization with prune: true that writes one would delete it with all that is in it.
var ownNamespaces = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

var seLinuxType = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

func (v *pluginValidator) deployment() {
	d := v.plugin.Spec.Deployment
	v.image("spec.image", d.Image, d.AllowTagOnly)
	v.architectures(d.Architectures)
	v.targetNamespace(d.TargetNamespace)
	v.labels("spec.namespaceLabels", d.NamespaceLabels)
	v.expectedNodes(d.Nodes)
	v.labels("spec.nodeSelector", d.NodeSelector)
	v.unique("spec.tolerate", d.Tolerate)
	v.check("spec.priorityClassName", "the priority class", d.PriorityClassName, validation.IsDNS1123Subdomain(d.PriorityClassName))
	v.quantities("spec.resources.requests", d.Resources.Requests)
	v.quantities("spec.resources.limits", d.Resources.Limits)
	v.requestsWithinLimits(d.Resources)
	if d.SELinuxType != "" && !seLinuxType.MatchString(d.SELinuxType) {
		v.fail("spec.seLinuxType", "%q is no SELinux type: write one such as container_device_plugin_t", d.SELinuxType)
	}
	if d.PodMonitor != nil {
		if v.plugin.Spec.Preset == IntelGPUUpstream {
			v.fail("spec.podMonitor", "is for Berth's plugin: Intel's image serves no metrics, so remove it")
		}
		v.labels("spec.podMonitor.labels", d.PodMonitor.Labels)
		v.duration("spec.podMonitor.interval", d.PodMonitor.Interval)
	}
}

func (v *pluginValidator) architectures(all []string) {
	v.unique("spec.architectures", all)
	for i, arch := range all {
		if slices.Contains(architectures, arch) {
			continue
		}
		hint := "write one of " + strings.Join(architectures, ", ")
		if known := map[string]string{"x86_64": "amd64", "aarch64": "arm64", "armv7": "arm", "arm/v7": "arm"}[arch]; known != "" {
			hint = "Kubernetes calls it " + known
		}
		v.fail(strict.Item("spec.architectures", i), "there is no architecture %q: %s", arch, hint)
	}
}

func (v *pluginValidator) targetNamespace(name string) {
	if slices.Contains(ownNamespaces, name) {
		v.fail("spec.namespace", "%s is Kubernetes's own: the plugin's namespace is written with it and goes with it, so give it one of its own", name)
		return
	}
	if v.origin.Has("spec.namespace") && v.resolved("spec.namespace", name) { // the default follows from the name
		v.check("spec.namespace", "the namespace", name, validation.IsDNS1123Label(name))
	}
}

func (v *pluginValidator) expectedNodes(nodes []string) {
	if len(nodes) == 0 {
		v.fail("spec.nodes", "names no node: list those that are expected to offer the devices, since nothing can be confirmed without")
	}
	v.unique("spec.nodes", nodes)
	for i, name := range nodes {
		v.nodeName(strict.Item("spec.nodes", i), name)
	}
}

func (v *pluginValidator) quantities(path string, all map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		at := strict.Child(path, name)
		if name != "cpu" && name != "memory" {
			v.fail(at, "there is no %q here: write cpu and memory", name)
		}
		if q, err := resource.ParseQuantity(all[name]); err != nil || q.Sign() <= 0 {
			v.fail(at, "%q is no quantity: write one such as 10m or 64Mi", all[name])
		}
	}
}

// requestsWithinLimits finds what the API server refuses: a request above the limit.
func (v *pluginValidator) requestsWithinLimits(r *ContainerResources) {
	for _, name := range slices.Sorted(maps.Keys(r.Requests)) {
		limit, limited := r.Limits[name]
		request, err := resource.ParseQuantity(r.Requests[name])
		most, err2 := resource.ParseQuantity(limit)
		if limited && err == nil && err2 == nil && request.Cmp(most) > 0 {
			v.fail(strict.Child("spec.resources.requests", name), "%s is above the limit of %s: the API server refuses that", r.Requests[name], limit)
		}
	}
}
