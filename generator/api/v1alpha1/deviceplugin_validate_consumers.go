package v1alpha1

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

func (v *pluginValidator) consumers() {
	first := map[string]string{}
	for i, c := range v.plugin.Spec.Consumers {
		at := strict.Item("spec.consumers", i)
		v.consumer(at, c)
		key := c.Workload.String() + " " + c.Container
		if earlier, twice := first[key]; twice {
			v.fail(at+".workload", "%s, container %s, was listed before, %s: put its resources into one entry", c.Workload, c.Container, v.origin.Where(earlier))
			continue
		}
		first[key] = at
	}
}

func (v *pluginValidator) consumer(at string, c Consumer) {
	v.workload(at+".workload", c.Workload)
	helm := c.Workload.Kind == KindHelmRelease
	switch {
	case c.Container != "":
		v.check(at+".container", "the container's name", c.Container, validation.IsDNS1123Label(c.Container))
	case !helm || c.Helm != nil && len(c.Helm.Pods) > 0:
		v.fail(at+".container", "is missing: a pod can have several, so name the one that opens the device")
	}
	v.requests(at+".resources", c.Resources)
	v.replaced(at+".replacesHostPath", c.ReplacesHostPath)
	for _, name := range sortedKeys(c.Env) {
		v.check(strict.Child(at+".env", name), "the variable", name, validation.IsEnvVarName(name))
	}
	switch {
	case helm && c.Helm == nil:
		v.fail(at, "a HelmRelease keeps its containers where its chart wants them: name the places, as in helm: {resources: resources}")
	case !helm && c.Helm != nil:
		v.fail(at+".helm", "is for a HelmRelease, and this is a %s: remove it", c.Workload.Kind)
	case helm:
		v.consumerHelm(at, c)
	}
}

func (v *pluginValidator) replaced(at, folder string) {
	if folder == "" {
		return
	}
	v.hostPath(at, folder)
	if strings.ContainsAny(folder, "*?[") {
		v.fail(at, "%q is a pattern: write the folder; what is below it is meant too", folder)
	}
}

// requests checks what a consumer asks for against what the plugin offers.
func (v *pluginValidator) requests(at string, all map[string]int64) {
	if len(all) == 0 {
		v.fail(at, "asks for nothing: write a resource and a number, as in gpu.intel.com/i915: 1")
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		path := strict.Child(at, name)
		if all[name] < 1 {
			v.fail(path, "%d: write how many devices the container gets, at least 1", all[name])
		}
		if !v.resourceName(path, name) || v.claims == nil || slices.Contains(v.claims, name) {
			continue
		}
		if near := strict.Nearest(name, v.claims); near != "" {
			v.fail(path, "this plugin offers no %s: did you mean %s?", name, near)
			continue
		}
		v.fail(path, "this plugin offers no %s: it offers %s", name, strings.Join(v.claims, ", "))
	}
}

func (v *pluginValidator) consumerHelm(at string, c Consumer) {
	h := c.Helm
	switch {
	case h.Resources == "" && len(h.Pods) == 0:
		v.fail(at+".helm", "names no place to request the devices: write resources, the path in the values, or pods")
	case h.Resources != "" && len(h.Pods) > 0:
		v.fail(at+".helm", "names both resources and pods: the container would be changed twice, so keep one")
	}
	if len(c.Env) > 0 && h.Env == "" && len(h.Pods) == 0 {
		v.fail(at+".env", "has no place in the HelmRelease: write helm.env, the path in the values of a map of variables")
	}
	for _, place := range []struct{ path, value string }{{at + ".helm.resources", h.Resources}, {at + ".helm.env", h.Env}} {
		if place.value != "" {
			v.valuesPath(place.path, place.value)
		}
	}
	v.helmMounts(at, c)
}

// helmMounts checks the places of a HelmRelease that mount what is replaced.
func (v *pluginValidator) helmMounts(at string, c Consumer) {
	h := c.Helm
	v.unique(at+".helm.remove", h.Remove)
	for i, value := range h.Remove {
		v.valuesPath(strict.Item(at+".helm.remove", i), value)
	}
	mounts := len(h.Remove)
	for i, pod := range h.Pods {
		v.consumerPod(strict.Item(at+".helm.pods", i), pod)
		mounts += len(pod.Volumes)
	}
	if c.ReplacesHostPath != "" && mounts == 0 {
		v.fail(at+".replacesHostPath", "has no place in the HelmRelease: name it in helm.remove, or the volumes in helm.pods")
	}
	if c.ReplacesHostPath == "" && mounts > 0 {
		v.fail(at+".helm", "removes mounts, and replacesHostPath does not say of what: write the folder, such as /dev/dri")
	}
}

func (v *pluginValidator) valuesPath(at, value string) {
	if err := checkValuesPath(value); err != nil {
		v.fail(at, "%v", err)
	}
}

func (v *pluginValidator) consumerPod(at string, p ConsumerPod) {
	v.oneOf(at+".kind", p.Kind, "DaemonSet", "Deployment", "StatefulSet")
	v.check(at+".name", "the name", p.Name, validation.IsDNS1123Subdomain(p.Name))
	for i, name := range p.Volumes {
		v.check(strict.Item(at+".volumes", i), "the volume's name", name, validation.IsDNS1123Label(name))
	}
	for i, mount := range p.MountPaths {
		v.hostPath(strict.Item(at+".mountPaths", i), mount)
	}
	if len(p.MountPaths) > 0 && len(p.Volumes) == 0 {
		v.fail(at+".mountPaths", "are of volumes, and none is named: write volumes too")
	}
}
