package placementtest

import (
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// seconds are the tolerationSeconds of random pods. A test that waits waits for the short ones only.
var seconds = []int64{-30, 0, 2, Soon, 3600}

// Soon is the longest of the short tolerationSeconds.
const Soon = 4

// PodSpec makes the spec of a pod that the API server takes.
func PodSpec(r *rand.Rand, names []string) corev1.PodSpec {
	spec := corev1.PodSpec{Containers: []corev1.Container{container(r, "main")}}
	if r.IntN(4) == 0 {
		spec.InitContainers = []corev1.Container{container(r, "init")}
	}
	for range r.IntN(4) {
		spec.Tolerations = append(spec.Tolerations, Toleration(r))
	}
	if r.IntN(4) == 0 {
		spec.NodeSelector = map[string]string{pick(r, labelKeys): pick(r, labelValues)}
	}
	if r.IntN(2) == 0 {
		spec.Affinity = affinity(r, names)
	}
	if r.IntN(6) == 0 {
		spec.NodeName = pick(r, names)
	}
	spec.HostNetwork = r.IntN(3) == 0
	return spec
}

// Toleration makes a toleration that the API server takes.
func Toleration(r *rand.Rand) corev1.Toleration {
	t := corev1.Toleration{Key: pick(r, append(taintKeys, corev1.TaintNodeUnschedulable)), Operator: pick(r, []corev1.TolerationOperator{"", "Equal", "Exists", "Exists"})}
	if r.IntN(2) == 0 {
		t.Effect = pick(r, effects)
	}
	if t.Operator != corev1.TolerationOpExists {
		t.Value = pick(r, taintValues)
	} else if r.IntN(4) == 0 {
		t.Key = ""
	}
	if t.Effect == corev1.TaintEffectNoExecute && r.IntN(2) == 0 {
		t.TolerationSeconds = new(pick(r, seconds))
	}
	return t
}

// container makes a container. No amount is such that pods compete for it: a node has far more than all pods together ask
// for, or less than one.
func container(r *rand.Rand, name string) corev1.Container {
	list := corev1.ResourceList{}
	if r.IntN(4) == 0 {
		list[Resource] = resource.MustParse(pick(r, []string{"0", "1", "2000"}))
	}
	if r.IntN(3) == 0 {
		list[corev1.ResourceCPU] = resource.MustParse(pick(r, []string{"1m", "20"}))
	}
	return requesting(name, list)
}

func requesting(name string, list corev1.ResourceList) corev1.Container {
	c := corev1.Container{Name: name, Image: "example.com/" + name}
	if len(list) > 0 {
		c.Resources.Requests, c.Resources.Limits = list, list
	}
	return c
}
