package live

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// stay is the pods of one workload on one node.
type stay struct {
	maker maker
	pods  []*corev1.Pod
}

// staysOn returns the pods on a node by what makes them, sorted by name.
func (v *view) staysOn(node string) []stay {
	by := map[string]*stay{}
	for _, pod := range v.podsOn(node) {
		m := v.makerOf(pod)
		if by[m.String()] == nil {
			by[m.String()] = &stay{maker: m}
		}
		by[m.String()].pods = append(by[m.String()].pods, pod)
	}
	all := make([]stay, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		all = append(all, *by[name])
	}
	return all
}

// checkPods looks at what runs on a node that the intent taints.
func (c *comparison) checkPods(f *facts) {
	taints := f.want.taints()
	if len(taints) == 0 || f.node == nil {
		return
	}
	for _, s := range c.staysOn(f.want.node) {
		c.checkDenied(f, s)
		if keeping := untolerated(s.maker.tolerations, taints); len(keeping) > 0 {
			c.notAllowedBack(f, s, keeping)
		} else {
			c.checkAdmission(f, s, taints)
		}
	}
}

func (c *comparison) notAllowedBack(f *facts, s stay, keeping []v1alpha1.Taint) {
	about := s.maker.Object
	message := fmt.Sprintf("has %s on %s, which would not be let back there by %s", plural(len(s.pods), "pod"), f.want.node, strings.Join(texts(keeping), ", "))
	for _, t := range keeping {
		if t.Effect == v1alpha1.NoExecute && stays(s.pods[0].Spec.Tolerations, t) == evicted {
			message = fmt.Sprintf("has %s on %s, which %s evicts", plural(len(s.pods), "pod"), f.want.node, t)
			break
		}
	}
	if about.Kind == "DaemonSet" {
		c.add(&about, finding.Warning, "daemonset-there", message, "a DaemonSet's pod stays until it ends and is not made again: allow it, or deny it, or delete the pod")
		return
	}
	c.add(&about, finding.Warning, "pod-not-allowed-back", message, "allow the workload, or move it before the taint does")
}

// checkAdmission finds pods that tolerate what their template does not: something gives them tolerations on the way.
func (c *comparison) checkAdmission(f *facts, s stay, taints []v1alpha1.Taint) {
	if s.maker.workload == nil {
		return
	}
	for _, t := range taints {
		pod := s.pods[0]
		if t.Effect != v1alpha1.PreferNoSchedule && tolerates(pod.Spec.Tolerations, t) && !tolerates(s.maker.tolerations, t) {
			about := s.maker.Object
			c.add(&about, finding.Warning, "toleration-from-admission", fmt.Sprintf("does not tolerate %s, and its pod %s on %s does", t, pod.Name, f.want.node),
				"look for a mutating webhook, a RuntimeClass or the namespace's default tolerations")
		}
	}
}

// checkDenied finds denied workloads that run on a node all the same.
func (c *comparison) checkDenied(f *facts, s stay) {
	if s.maker.workload == nil {
		return
	}
	for _, intent := range c.intents {
		if len(intent.NodeTaints(f.want.node)) == 0 {
			continue
		}
		for _, entry := range intent.Spec.Deny {
			if c.identifies(s.maker.workload, entry.Workload) {
				about := s.maker.Object
				c.add(&about, finding.Warning, "denied-is-there", fmt.Sprintf("is denied and has %s on %s", plural(len(s.pods), "pod"), f.want.node),
					"delete the pod once the taint, and for a blanket toleration the affinity that berth generate writes, is in place")
			}
		}
	}
}

func (v *view) identifies(w *Workload, entry v1alpha1.Workload) bool {
	return slices.ContainsFunc(v.identities(w), func(i identity) bool { return i.is(entry) })
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
