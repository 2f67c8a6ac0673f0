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
		c.checkLimited(f, s, taints)
		keeping := untolerated(s.maker.template.Tolerations, taints)
		if len(keeping) == 0 {
			continue
		}
		kept := s.only(func(pod *corev1.Pod) bool { return len(untolerated(pod.Spec.Tolerations, taints)) > 0 })
		if len(kept.pods) > 0 {
			c.notAllowedBack(f, kept, keeping)
		}
		if len(kept.pods) < len(s.pods) {
			c.fromAdmission(f, s, keeping)
		}
	}
}

// only leaves out the other pods.
func (s stay) only(these func(*corev1.Pod) bool) stay {
	return stay{s.maker, slices.DeleteFunc(slices.Clone(s.pods), func(pod *corev1.Pod) bool { return !these(pod) })}
}

// notAllowedBack is about pods that a taint keeps from coming back. Those that would not come back without it either are
// none of its doing, unless it evicts them.
func (c *comparison) notAllowedBack(f *facts, s stay, keeping []v1alpha1.Taint) {
	about := s.maker.Object
	has, by := fmt.Sprintf("has %s on %s", plural(len(s.pods), "pod"), f.want.node), strings.Join(texts(keeping), ", ")
	goes, t := s.evictedBy(keeping)
	elsewise := c.elsewise(s.maker.template, about.Kind, f.want.node)
	if elsewise != "" && goes == 0 {
		c.add(&about, finding.Info, "pod-would-not-return", fmt.Sprintf("%s, which would not be let back there by %s, nor without it: %s", has, by, elsewise), "")
		return
	}
	message := fmt.Sprintf("%s, which would not be let back there by %s", has, by)
	if goes > 0 {
		message += fmt.Sprintf("; %s evicts %s at once", t, plural(goes, "pod"))
	}
	if about.Kind == "DaemonSet" {
		c.add(&about, finding.Warning, "daemonset-there", message, "a DaemonSet's pod stays until it ends and is not made again: allow it, or deny it, or delete the pod")
		return
	}
	c.add(&about, finding.Warning, "pod-not-allowed-back", message, "allow the workload, or move it before the taint does")
}

// checkLimited is about pods that tolerate a NoExecute taint for some seconds only: they go, come back and go again.
func (c *comparison) checkLimited(f *facts, s stay, taints []v1alpha1.Taint) {
	for _, t := range taints {
		for _, pod := range s.pods {
			if stays(pod.Spec.Tolerations, t) != limited {
				continue
			}
			about := s.maker.Object
			c.add(&about, finding.Warning, "pod-evicted-later", fmt.Sprintf("has a pod on %s, which %s evicts after %d s, and again whenever one comes back there", f.want.node, t, *shortest(pod.Spec.Tolerations, t)),
				"take tolerationSeconds off, or the whole toleration")
			break
		}
	}
}

// evictedBy counts the pods that do not even stay until they end, and names the first taint that evicts one.
func (s stay) evictedBy(taints []v1alpha1.Taint) (n int, by v1alpha1.Taint) {
	for _, pod := range s.pods {
		i := slices.IndexFunc(taints, func(t v1alpha1.Taint) bool { return stays(pod.Spec.Tolerations, t) == evicted })
		if i < 0 {
			continue
		}
		if n++; n == 1 {
			by = taints[i]
		}
	}
	return n, by
}

// fromAdmission is about pods that tolerate what their template does not: something gives them tolerations on the way.
func (c *comparison) fromAdmission(f *facts, s stay, keeping []v1alpha1.Taint) {
	if s.maker.workload == nil || s.maker.workload.Behind != "" {
		return // a pod of another template
	}
	about := s.maker.Object
	c.add(&about, finding.Warning, "toleration-from-admission", fmt.Sprintf("does not tolerate %s, and a pod of it on %s does", strings.Join(texts(keeping), ", "), f.want.node),
		"look for a mutating webhook, a RuntimeClass or the namespace's default tolerations")
}

// checkDenied finds denied workloads that run on a node all the same.
func (c *comparison) checkDenied(f *facts, s stay) {
	if s.maker.workload == nil {
		return
	}
	for _, intent := range c.intents {
		if !f.want.taintedBy(intent.Metadata.Name) {
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
