package placement

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestAPodSpecOfAClusterIsJudgedByAllThatKeepsItAway(t *testing.T) {
	node := NodeOf(&corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: map[string]string{"disk": "ssd"}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: "a", Effect: corev1.TaintEffectNoSchedule}}},
		Status:     corev1.NodeStatus{Allocatable: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}},
	})
	tolerant := []corev1.Toleration{{Key: "a", Operator: corev1.TolerationOpExists}}
	limits := func(name corev1.ResourceName, amount string) []corev1.Container {
		return []corev1.Container{{Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{name: resource.MustParse(amount)}}}}
	}
	cases := map[string]struct {
		spec corev1.PodSpec
		want string // the code of what blocks
	}{
		"nothing":                     {corev1.PodSpec{Tolerations: tolerant}, ""},
		"a taint":                     {corev1.PodSpec{}, CodeUntolerated},
		"a label that fits":           {corev1.PodSpec{Tolerations: tolerant, NodeSelector: map[string]string{"disk": "ssd"}}, ""},
		"a label that is not there":   {corev1.PodSpec{Tolerations: tolerant, NodeSelector: map[string]string{"gpu": "yes"}}, CodeSelector},
		"another node":                {corev1.PodSpec{Tolerations: tolerant, NodeName: "m"}, CodeOtherNode},
		"more memory than there is":   {corev1.PodSpec{Tolerations: tolerant, Containers: limits(corev1.ResourceMemory, "2Gi")}, CodeResource},
		"a device that is not there":  {corev1.PodSpec{Tolerations: tolerant, Containers: limits("gpu.intel.com/i915", "1")}, CodeResource},
		"as much memory as there may": {corev1.PodSpec{Tolerations: tolerant, Containers: limits(corev1.ResourceMemory, "1Gi")}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			before := c.spec.DeepCopy()
			v := NewSpec(&c.spec, "Pod").On(node)
			got := ""
			for _, r := range v.Reasons {
				if r.Bearing == Blocks {
					got = r.Code
				}
			}
			if got != c.want || (v.New == Yes) != (c.want == "") {
				t.Errorf("got %s %v, want %q", v.New, v.Reasons, c.want)
			}
			if len(before.Containers) > 0 && len(c.spec.Containers[0].Resources.Requests) > 0 {
				t.Error("the spec was changed")
			}
		})
	}
}
