package live

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// fate is what a NoExecute taint does to a running pod.
type fate int

const (
	remains fate = iota
	limited      // it goes after the shortest tolerationSeconds
	evicted
)

// stays follows the taint eviction controller (k8s.io/kubernetes pkg/controller/tainteviction): a pod without a
// matching toleration goes at once, one whose tolerations end goes after the shortest of them.
func stays(tolerations []corev1.Toleration, t v1alpha1.Taint) fate {
	if t.Effect != v1alpha1.NoExecute {
		return remains
	}
	if !tolerates(tolerations, t) {
		return evicted
	}
	if shortest(tolerations, t) != nil {
		return limited
	}
	return remains
}

// shortest returns the least tolerationSeconds of what matches; a match without an end does not help against it
// (getMinTolerationTime).
func shortest(tolerations []corev1.Toleration, t v1alpha1.Taint) *int64 {
	var least *int64
	for _, by := range tolerations {
		if matches(by, t) && by.TolerationSeconds != nil && (least == nil || *by.TolerationSeconds < *least) {
			least = by.TolerationSeconds
		}
	}
	return least
}

// Eviction is a pod that a plan will evict.
type Eviction struct {
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	// Maker is what makes the pod anew, such as Deployment shop/web.
	Maker string `json:"maker,omitempty"`
	// AfterSeconds is how long the pod's toleration lasts; 0 for at once.
	AfterSeconds int64 `json:"afterSeconds,omitempty"`
}

// String is one line for a reader.
func (e Eviction) String() string {
	text := e.Namespace + "/" + e.Pod
	if e.Maker != "" {
		text += " of " + e.Maker
	}
	if e.AfterSeconds > 0 {
		text += fmt.Sprintf(", after %d s", e.AfterSeconds)
	}
	return text
}

// evictions lists the pods that the taints evict from a node, each with the taint that does so first.
func (v *view) evictions(node string, taints []v1alpha1.Taint) []Eviction {
	var all []Eviction
	for _, pod := range v.podsOn(node) {
		seconds, goes := goesAfter(pod.Spec.Tolerations, taints)
		if !goes {
			continue
		}
		e := Eviction{Namespace: pod.Namespace, Pod: pod.Name, AfterSeconds: seconds}
		if maker := v.makerOf(pod); maker.workload != nil {
			e.Maker = maker.String()
		}
		all = append(all, e)
	}
	return all
}

// goesAfter returns after how many seconds the first of the taints evicts a pod.
func goesAfter(tolerations []corev1.Toleration, taints []v1alpha1.Taint) (seconds int64, goes bool) {
	for _, t := range taints {
		var after int64
		switch stays(tolerations, t) {
		case remains:
			continue
		case limited:
			after = max(0, *shortest(tolerations, t)) // a negative one is as good as zero
		}
		if !goes || after < seconds {
			seconds = after
		}
		goes = true
	}
	return seconds, goes
}
