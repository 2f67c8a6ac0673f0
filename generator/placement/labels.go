package placement

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

const giveNodes = "give the nodes as kubectl get nodes -o yaml prints them (--nodes)"

// labels looks at the nodeSelector, of which every line has to hold.
func (j *judgement) labels() {
	var wrong, open []string
	result := Yes
	for _, n := range j.pod.selector {
		got := n.holds(j.node, j.object)
		result = both(result, got)
		switch got {
		case No:
			wrong = append(wrong, n.String()+n.has(j.node))
		case Unknown:
			open = append(open, n.String())
		}
	}
	j.gone(result)
	if len(wrong) > 0 {
		j.block(CodeSelector, "nodeSelector asks for "+strings.Join(wrong, " and "), "label the node, or change the selector")
	}
	if len(open) > 0 {
		j.unknownLabels(CodeSelectorUnknown, "nodeSelector asks for "+strings.Join(open, " and "))
	}
	if result == Yes && len(j.pod.selector) > 0 {
		j.add(Permits, CodeSelector, "the node has the labels that nodeSelector asks for", "")
	}
}

// os looks at spec.os, at which only the kubelet does (Kubernetes: pkg/kubelet/lifecycle, rejectPodAdmissionBasedOnOSField).
func (j *judgement) os() {
	has, known := j.node.label(corev1.LabelOSStable)
	if want := string(j.pod.os); want != "" && !unresolved(want) && known == Yes && has != want {
		j.block(CodeOS, fmt.Sprintf("spec.os is %s and the node's is %s: the scheduler does not mind, and the kubelet refuses the pod (PodOSNotSupported)", want, has),
			"select nodes by "+corev1.LabelOSStable+", or change spec.os")
	}
}

func (j *judgement) unknownLabels(code, asks string) {
	if strings.Contains(asks, "${") {
		j.unknown(code, asks+", which holds a ${...} that is replaced later", "write it out, or explain what the substitution leaves")
		return
	}
	j.unknown(code, asks+", and not all labels of the node are known", giveNodes)
}

// affinity looks at the required node affinity.
func (j *judgement) affinity() {
	if j.pod.preferred > 0 {
		j.note(CodePreferred, "a preferred node affinity weighs nodes against each other; it keeps nothing away")
	}
	required := j.pod.affinity
	if required == nil {
		return
	}
	result := required.holds(j.node, j.object)
	j.gone(result)
	switch {
	case len(required.terms) == 0:
		j.block(CodeAffinity, "the required node affinity has no terms, which matches no node", "write a term, or remove the affinity")
	case result == No:
		lacking := required.lacking(j.node, j.object, No)
		action := "label the node, or change the affinity"
		if strings.Contains(lacking, corev1.LabelHostname) {
			action = "change the affinity; where berth wrote it, remove the deny entry"
		}
		j.block(CodeAffinity, "the required node affinity asks for "+lacking, action)
	case result == Unknown:
		j.unknownLabels(CodeAffinityUnknown, "the required node affinity asks for "+required.lacking(j.node, j.object, Unknown))
	default:
		j.add(Permits, CodeAffinity, "the required node affinity matches", "")
	}
	if err := required.invalid(); err != nil {
		j.note(CodeAffinityInvalid, fmt.Sprintf("a term of the required node affinity is not valid and counts as one that matches nothing: %v", err))
	}
}
