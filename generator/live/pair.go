package live

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// pair is how the API tells taints apart: a node has no two with the same key and effect (validateNodeTaints).
type pair struct {
	key    string
	effect v1alpha1.Effect
}

func pairOf(t v1alpha1.Taint) pair { return pair{t.Key, t.Effect} }

// String returns key:Effect.
func (p pair) String() string { return p.key + ":" + string(p.effect) }

// parsePair reads what String writes; false for anything else.
func parsePair(text string) (pair, bool) {
	key, effect, found := strings.Cut(text, ":")
	known := []v1alpha1.Effect{v1alpha1.NoSchedule, v1alpha1.PreferNoSchedule, v1alpha1.NoExecute}
	return pair{key, v1alpha1.Effect(effect)}, found && key != "" && slices.Contains(known, v1alpha1.Effect(effect))
}

// ofNode turns the taints of a Node into Berth's.
func ofNode(taints []corev1.Taint) []v1alpha1.Taint {
	all := make([]v1alpha1.Taint, len(taints))
	for i, t := range taints {
		all[i] = v1alpha1.Taint{Key: t.Key, Value: t.Value, Effect: v1alpha1.Effect(t.Effect)}
	}
	return all
}

func withPair(taints []v1alpha1.Taint, p pair) (v1alpha1.Taint, bool) {
	i := slices.IndexFunc(taints, func(t v1alpha1.Taint) bool { return pairOf(t) == p })
	if i < 0 {
		return v1alpha1.Taint{}, false
	}
	return taints[i], true
}

// untolerated returns the taints that keep a pod away, which PreferNoSchedule never does. The comparison operators are
// alpha and off by default (KEP-5471): they match nothing.
func untolerated(tolerations []corev1.Toleration, taints []v1alpha1.Taint) []v1alpha1.Taint {
	var left []v1alpha1.Taint
	for _, t := range taints {
		if t.Effect != v1alpha1.PreferNoSchedule && !tolerates(tolerations, t) {
			left = append(left, t)
		}
	}
	return left
}

func tolerates(tolerations []corev1.Toleration, t v1alpha1.Taint) bool {
	return slices.ContainsFunc(tolerations, func(by corev1.Toleration) bool { return matches(by, t) })
}

func matches(by corev1.Toleration, t v1alpha1.Taint) bool {
	taint := corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)}
	return by.ToleratesTaint(klog.Background(), &taint, false)
}

// byName says whether a list tolerates a taint by its key, not by a blanket toleration.
func byName(tolerations []corev1.Toleration, t v1alpha1.Taint) bool {
	return slices.ContainsFunc(tolerations, func(by corev1.Toleration) bool { return by.Key == t.Key && matches(by, t) })
}

func texts(taints []v1alpha1.Taint) []string {
	all := make([]string, len(taints))
	for i, t := range taints {
		all[i] = t.String()
	}
	return all
}
