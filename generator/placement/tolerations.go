package placement

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

// toleration is one that a pod has when it runs.
type toleration struct {
	corev1.Toleration
	// origin says who adds it; empty for the workload's own.
	origin string
	// secondsOpen says that only its tolerationSeconds are not known.
	secondsOpen bool
	// open says that a part of it is not known.
	open bool
}

// String is the toleration as a person writes it in flow style.
func (t toleration) String() string {
	text := ""
	add := func(name, value string) {
		if value != "" {
			text += ", " + name + ": " + value
		}
	}
	add("key", t.Key)
	add("operator", string(t.Operator))
	add("value", t.Value)
	add("effect", string(t.Effect))
	if t.TolerationSeconds != nil {
		add("tolerationSeconds", fmt.Sprint(*t.TolerationSeconds))
	}
	if text == "" {
		return "{}"
	}
	return "{" + text[2:] + "}"
}

// tolerates says whether the toleration matches a taint. The comparison operators Lt and Gt match nothing: they are
// alpha and off by default (KEP-5471, Kubernetes 1.35 to 1.37).
func (t toleration) tolerates(taint Taint) Answer {
	if !t.open && !taint.unresolved() {
		return answer(t.ToleratesTaint(klog.Background(), &taint.Taint, false))
	}
	effect := matches(string(t.Effect), string(taint.Effect), true)
	key := matches(t.Key, taint.Key, true)
	value := Unknown
	switch t.Operator {
	case corev1.TolerationOpExists:
		value = Yes
	case "", corev1.TolerationOpEqual:
		value = matches(t.Value, taint.Value, false)
	case corev1.TolerationOpGt, corev1.TolerationOpLt:
		value = No
	}
	all := both(effect, both(key, value))
	if t.open && t.Toleration == (corev1.Toleration{}) {
		return Unknown // nothing at all is known of it
	}
	return all
}

// matches compares two values of which one may not be known yet. wild says that an empty one matches everything.
func matches(want, got string, wild bool) Answer {
	switch {
	case wild && want == "":
		return Yes
	case unresolved(want) || unresolved(got):
		return Unknown
	}
	return answer(want == got)
}

func (t toleration) blanket() bool { return t.Key == "" && t.Operator == corev1.TolerationOpExists }

// daemonTolerations are added to every pod of a DaemonSet (Kubernetes: pkg/controller/daemon/util,
// AddOrUpdateDaemonPodTolerations); the last one to those on the host's network.
var daemonTolerations = []corev1.Toleration{
	{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeDiskPressure, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeMemoryPressure, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodePIDPressure, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeNetworkUnavailable, Effect: corev1.TaintEffectNoSchedule},
}

const daemonController = "the DaemonSet controller"

// withDaemon adds what the DaemonSet controller adds. An entry of the workload's own for the same key, operator, value
// and effect is replaced at its place: it loses its tolerationSeconds.
func withDaemon(list []toleration, hostNetwork bool) []toleration {
	for _, added := range daemonTolerations {
		if added.Key == corev1.TaintNodeNetworkUnavailable && !hostNetwork {
			continue
		}
		added.Operator = corev1.TolerationOpExists
		found := false
		for i := range list {
			if list[i].MatchToleration(&added) {
				list[i], found = toleration{Toleration: added, origin: daemonController}, true
			}
		}
		if !found {
			list = append(list, toleration{Toleration: added, origin: daemonController})
		}
	}
	return list
}

// withDefaultSeconds adds what the admission plugin DefaultTolerationSeconds adds: 300 s on a node that is not ready or
// cannot be reached, to a pod that says nothing of it.
func withDefaultSeconds(list []toleration) []toleration {
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		says := false
		for _, t := range list {
			says = says || (t.Key == key || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "")
		}
		if !says {
			seconds := int64(300)
			added := corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds}
			list = append(list, toleration{Toleration: added, origin: "admission (DefaultTolerationSeconds)"})
		}
	}
	return list
}
