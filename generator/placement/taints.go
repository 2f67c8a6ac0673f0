package placement

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// taints goes through the node's taints. A cordon's own taint is left to cordon.
func (j *judgement) taints() {
	for _, taint := range j.node.Taints {
		if taint.Key == corev1.TaintNodeUnschedulable && taint.Effect == corev1.TaintEffectNoSchedule {
			continue
		}
		by, tolerated := j.tolerated(taint)
		switch {
		case j.pod.way == static:
			// said already: the kubelet and the eviction controller both let static pods be
		case taint.Effect == corev1.TaintEffectPreferNoSchedule:
			j.prefer(taint, by, tolerated)
		case j.pod.way == bound && taint.Effect == corev1.TaintEffectNoSchedule:
			j.note(CodeBypassed, fmt.Sprintf("the taint %s does not count: only the scheduler looks at NoSchedule", taint))
		case tolerated == Yes:
			j.permit(taint, by)
		case tolerated == Unknown:
			j.maybe(taint, by)
		default:
			j.refuse(taint)
		}
	}
}

// tolerated returns the first toleration that matches a taint, as the eviction controller takes the first one; an
// earlier one that may match leaves it open which it is.
func (j *judgement) tolerated(taint Taint) (by *toleration, a Answer) {
	a = No
	for i := range j.pod.tolerations {
		t := &j.pod.tolerations[i]
		switch t.tolerates(taint) {
		case Yes:
			if a == Unknown && taint.Effect == corev1.TaintEffectNoExecute && !t.endless() {
				return by, Unknown
			}
			return t, Yes
		case Unknown:
			if a == No {
				by, a = t, Unknown
			}
		}
	}
	return by, a
}

func (t *toleration) endless() bool { return t.TolerationSeconds == nil && !t.secondsOpen }

func (j *judgement) prefer(taint Taint, by *toleration, tolerated Answer) {
	if tolerated == Yes {
		j.permit(taint, by)
		return
	}
	if j.pod.way != scheduled {
		j.note(CodePreferNo, fmt.Sprintf("the taint %s weighs nodes against each other, and its pods have no choice of nodes", taint))
		return
	}
	j.verdict.Avoided = j.verdict.Avoided || tolerated == No
	j.note(CodePreferNo, fmt.Sprintf("the taint %s makes the scheduler prefer other nodes; it keeps nothing away", taint))
}

func (j *judgement) permit(taint Taint, by *toleration) {
	message, action := fmt.Sprintf("tolerates %s by %s", taint, by), ""
	switch {
	case by.origin != "":
		message += ", which " + by.origin + " adds"
	case by.blanket():
		message += ", a blanket toleration: no taint of that effect keeps it away"
		action = "to keep it off, name it in deny: only a node affinity helps against a blanket toleration"
	}
	j.add(Permits, CodeTolerated, message, action)
	if taint.Effect != corev1.TaintEffectNoExecute || by.endless() {
		return
	}
	if by.secondsOpen {
		j.running(RunningUnknown, 0)
		j.add(Open, CodeUnresolved, fmt.Sprintf("tolerationSeconds for %s holds a ${...}, which is replaced later", taint), "")
		return
	}
	seconds := max(*by.TolerationSeconds, 0)
	if seconds == 0 {
		j.running(Evicted, 0)
	} else {
		j.running(EvictedLater, seconds)
	}
	j.add(Evicts, CodeEvictedLater, fmt.Sprintf("the toleration of %s ends: its pods are evicted after %d s", taint, seconds),
		"remove tolerationSeconds if they are meant to stay")
}

func (j *judgement) maybe(taint Taint, by *toleration) {
	message := fmt.Sprintf("may tolerate %s: %s holds a ${...}, which is replaced later", taint, by)
	action := "write the toleration out, or explain what the substitution leaves"
	switch {
	case by.origin != "":
		message = fmt.Sprintf("may tolerate %s by %s, which cannot be seen", taint, by.origin)
		action = "write the list of tolerations into the values, even when it is empty"
	case taint.unresolved():
		message = fmt.Sprintf("the taint %s holds a ${...}, so that nobody knows yet what tolerates it", taint)
	}
	j.unknown(CodeMaybeTolerated, message, action)
	if taint.Effect != corev1.TaintEffectNoSchedule {
		j.running(RunningUnknown, 0)
	}
}

func (j *judgement) refuse(taint Taint) {
	message := fmt.Sprintf("does not tolerate the taint %s%s", taint, j.nearly(taint))
	action := "give its pods a toleration, if it is meant to run here"
	if taint.Name != "" {
		action = fmt.Sprintf("name it in an allow entry with tolerate: [%s], if it is meant to run here", taint.Name)
	}
	if taint.Effect != corev1.TaintEffectNoExecute {
		j.block(CodeUntolerated, message+"; pods that run here stay until they are deleted", action)
		return
	}
	by := "; pods that run here are evicted at once"
	if j.pod.way == bound {
		by += ", and the kubelet refuses new ones"
	}
	j.block(CodeUntolerated, message+by, action)
	j.running(Evicted, 0)
}

// nearly says why a toleration of the same key does not match.
func (j *judgement) nearly(taint Taint) string {
	for _, t := range j.pod.tolerations {
		if t.Key != taint.Key || t.open {
			continue
		}
		switch {
		case t.Effect != "" && t.Effect != taint.Effect:
			return fmt.Sprintf(" (its toleration of the key is for the effect %s)", t.Effect)
		case t.Operator == corev1.TolerationOpLt || t.Operator == corev1.TolerationOpGt:
			return fmt.Sprintf(" (its toleration of the key has the operator %s, which is off by default and matches nothing)", t.Operator)
		}
		return fmt.Sprintf(" (its toleration of the key is for the value %q)", t.Value)
	}
	return ""
}

// cordon is the taint node.kubernetes.io/unschedulable:NoSchedule: kubectl cordon sets a field, and the scheduler takes
// the field as the taint.
func (j *judgement) cordon() {
	if !j.node.Cordoned || j.pod.way == static || j.pod.way == bound {
		return
	}
	taint := Taint{Taint: corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}}
	by, tolerated := j.tolerated(taint)
	const lost = "; a cordon is lost when the node registers again"
	switch {
	case tolerated == Yes && by.origin != "":
		j.add(Permits, CodeCordoned, "the node is cordoned, which "+by.origin+" tolerates for it"+lost, "")
	case tolerated == Yes:
		j.add(Permits, CodeCordoned, "the node is cordoned, which it tolerates by "+by.String()+lost, "")
	case tolerated == Unknown || j.pod.indirect:
		j.unknown(CodeCordoned, "the node is cordoned, and whether its pods tolerate that cannot be seen"+lost, "kubectl uncordon; where it is meant to stay empty, taint it first")
	default:
		j.block(CodeCordoned, "the node is cordoned"+lost, "kubectl uncordon; where it is meant to stay empty, taint it first")
	}
}
