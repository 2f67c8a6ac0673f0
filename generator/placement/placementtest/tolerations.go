package placementtest

import (
	"math/rand/v2"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// The forms in which a taint may be tolerated. Every third does not fit, where the form allows that.

func equal(r *rand.Rand, t corev1.Taint) corev1.Toleration {
	value := t.Value
	if r.IntN(3) == 0 {
		value = pick(r, taintValues)
	}
	return corev1.Toleration{Key: t.Key, Operator: pick(r, []corev1.TolerationOperator{"", corev1.TolerationOpEqual}), Value: value, Effect: t.Effect}
}

func equalNothing(_ *rand.Rand, t corev1.Taint) corev1.Toleration {
	return corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpEqual, Effect: t.Effect}
}

func equalAnyEffect(r *rand.Rand, t corev1.Taint) corev1.Toleration {
	out := equal(r, t)
	out.Effect = ""
	return out
}

func exists(r *rand.Rand, t corev1.Taint) corev1.Toleration {
	out := corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpExists, Effect: t.Effect}
	if r.IntN(3) == 0 {
		out.Effect = pick(r, effects)
	}
	return out
}

func existsAnyEffect(_ *rand.Rand, t corev1.Taint) corev1.Toleration {
	return corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpExists}
}

func existsAnyKey(_ *rand.Rand, t corev1.Taint) corev1.Toleration {
	return corev1.Toleration{Operator: corev1.TolerationOpExists, Effect: t.Effect}
}

func forSeconds(r *rand.Rand, t corev1.Taint) corev1.Toleration {
	out := corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpExists, Effect: t.Effect}
	if t.Effect == corev1.TaintEffectNoExecute {
		out.TolerationSeconds = new(pick(r, seconds[2:]))
	}
	return out
}

// compares makes an operator that is alpha in Kubernetes 1.36, and off (KEP-5471).
func compares(r *rand.Rand, t corev1.Taint) corev1.Toleration {
	return corev1.Toleration{Key: t.Key, Operator: pick(r, []corev1.TolerationOperator{corev1.TolerationOpLt, corev1.TolerationOpGt}), Value: "7", Effect: t.Effect}
}

// tolerating makes a pod that tolerates the taints of one of the nodes in a form. The node has a taint with one of the
// effects.
func tolerating(form func(*rand.Rand, corev1.Taint) corev1.Toleration, effects ...corev1.TaintEffect) maker {
	return func(r *rand.Rand, nodes []*corev1.Node) corev1.PodSpec {
		var tainted []*corev1.Node
		for _, n := range nodes {
			if slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return slices.Contains(effects, t.Effect) }) {
				tainted = append(tainted, n)
			}
		}
		spec := plain()
		for _, t := range pick(r, tainted).Spec.Taints {
			spec.Tolerations = append(spec.Tolerations, form(r, t))
		}
		return spec
	}
}

func plain() corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{requesting("main", nil)}}
}
