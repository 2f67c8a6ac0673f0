package v1alpha1

import (
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-dev/berth/generator/api/strict"
)

// podKinds are the kinds that a patch can reach into: those of which Berth knows where the pod template stands.
var podKinds = []string{"CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "StatefulSet"}

func (v *validator) pods(path string, pods []Pod) {
	seen := map[string]string{}
	for i, pod := range pods {
		at := strict.Item(path, i)
		if !slices.Contains(podKinds, pod.Kind) {
			v.fail(at+".kind", "%q is none of the kinds with a pod template that a patch can change: write one of %s", pod.Kind, strings.Join(podKinds, ", "))
		}
		if pod.Name == "" {
			v.fail(at+".name", "is missing: write the name of the %s as it is rendered", kindOrObject(pod.Kind))
		} else if v.resolved(at+".name", pod.Name) {
			v.check(at+".name", "the name", pod.Name, validation.IsDNS1123Subdomain(pod.Name))
		}
		if pod.Namespace != "" && v.resolved(at+".namespace", pod.Namespace) {
			v.check(at+".namespace", "the namespace", pod.Namespace, validation.IsDNS1123Label(pod.Namespace))
		}
		if first, twice := seen[pod.String()]; twice {
			v.fail(at, "%s was listed before, %s: list it once", pod, v.intent.origin.Where(first))
		}
		seen[pod.String()] = at
		for j, toleration := range pod.Tolerations {
			v.toleration(strict.Item(at+".tolerations", j), toleration)
		}
	}
}

// toleration checks by the rules of the API server (ValidateTolerations). The operators Lt and Gt are alpha and off by
// default (KEP-5471, Kubernetes 1.35 to 1.37).
func (v *validator) toleration(path string, t Toleration) {
	switch {
	case !slices.Contains([]string{"", "Equal", "Exists"}, t.Operator):
		v.fail(path+".operator", "there is no operator %q: write Equal or Exists", t.Operator)
	case t.Key == "" && t.Operator != "Exists":
		v.fail(path, "has no key: without one the operator must be Exists")
	case t.Operator == "Exists" && t.Value != "":
		v.fail(path+".value", "the operator Exists takes no value: remove it")
	}
	if t.Key != "" && v.resolved(path+".key", t.Key) {
		v.check(path+".key", "the key", t.Key, validation.IsQualifiedName(t.Key))
	}
	if v.resolved(path+".value", t.Value) {
		v.check(path+".value", "the value", t.Value, validation.IsValidLabelValue(t.Value))
	}
	if t.Effect != "" {
		v.failAll(path+".effect", effectProblems(t.Effect))
	}
	if t.TolerationSeconds != nil && t.Effect != NoExecute {
		v.fail(path+".tolerationSeconds", "is for the effect NoExecute only: write effect: NoExecute, or remove it")
	}
}

func (v *validator) helmValues(at string, h HelmValues) {
	file := at + ".file"
	switch {
	case h.File == "":
		v.fail(file, "is missing: name the values file, relative to the intent's own file")
	case !v.resolved(file, h.File):
	case path.IsAbs(h.File) || strings.Contains(h.File, `\`):
		v.fail(file, "%q must be relative to the intent's own file, with slashes", h.File)
	case strings.ContainsAny(h.File, "\n\r\x00"):
		v.fail(file, "%q holds a line break", h.File)
	}
	if len(h.Paths) == 0 {
		v.fail(at+".paths", "names no place: list paths of toleration lists in the file, such as tolerations")
	}
	v.each(at+".paths", h.Paths, checkValuesPath)
}
