package placement

import (
	corev1 "k8s.io/api/core/v1"
)

// Decide says whether a workload may run on a node, with every reason.
func Decide(w *Workload, n *Node) Verdict { return w.pod.on(n) }

// on judges one pod on one node.
func (p *pod) on(n *Node) Verdict {
	j := &judgement{pod: p, node: n, object: n.object(), verdict: Verdict{New: Yes, Running: Stays}}
	if p.unreadable != "" {
		j.unknown(CodeUnreadable, p.unreadable, "correct it: the API server would refuse the object")
		j.verdict.Running = RunningUnknown
		return j.verdict
	}
	j.place()
	j.taints()
	j.cordon()
	j.labels()
	j.os()
	j.affinity()
	j.resources()
	j.volumes()
	for _, r := range p.standing {
		j.add(r.Bearing, r.Code, r.Message, r.Action)
	}
	if len(j.verdict.Reasons) == 0 {
		j.add(Permits, CodeFree, "the node has no taint, and the workload asks for nothing that bears on its place", "")
	}
	sortReasons(j.verdict.Reasons)
	return j.verdict
}

// judgement is one verdict as it comes about.
type judgement struct {
	pod     *pod
	node    *Node
	object  *corev1.Node
	verdict Verdict
}

// add notes a reason, and what it does to a new pod.
func (j *judgement) add(bearing Bearing, code, message, action string) {
	switch bearing {
	case Blocks:
		j.verdict.New = No
	case Open:
		j.verdict.New = both(j.verdict.New, Unknown)
	}
	j.verdict.Reasons = append(j.verdict.Reasons, Reason{Code: code, Bearing: bearing, Message: message, Action: action})
}

func (j *judgement) block(code, message, action string)   { j.add(Blocks, code, message, action) }
func (j *judgement) unknown(code, message, action string) { j.add(Open, code, message, action) }
func (j *judgement) note(code, message string)            { j.add(Notes, code, message, "") }

// place looks at the node that the pod names.
func (j *judgement) place() {
	name := j.pod.nodeName
	switch {
	case unresolved(name):
		j.unknown(CodeUnresolved, "nodeName holds a ${...}, which is replaced later", "write the name out, or explain what the substitution leaves")
	case name != "" && name != j.node.Name:
		j.block(CodeOtherNode, "nodeName pins it to "+name, "remove nodeName, and let taints, selector and affinity decide")
		j.gone(No)
	case name != "" && j.pod.way == bound:
		j.note(CodeNodeName, "nodeName puts it here past the scheduler: NoSchedule taints and cordons do not keep it away, only the kubelet does")
	case j.pod.way == static:
		j.note(CodeStaticPod, "a static pod is started by a file on the node: no taint keeps it away")
	}
}

// past says whether the pod comes to its node past the scheduler, so that only the kubelet judges it.
func (p *pod) past() bool { return p.way == static || p.nodeName != "" }

// running makes what happens to a pod that runs there already worse, never better.
func (j *judgement) running(to Running, seconds int64) {
	v := &j.verdict
	rank := map[Running]int{Stays: 0, EvictedLater: 1, RunningUnknown: 2, Removed: 3, Evicted: 4}
	if to == EvictedLater && v.Running == EvictedLater {
		v.Seconds = min(v.Seconds, seconds)
		return
	}
	if rank[to] > rank[v.Running] {
		v.Running, v.Seconds = to, seconds
	}
	if v.Running != EvictedLater {
		v.Seconds = 0
	}
}

// gone notes that the DaemonSet controller removes its pods where selector or affinity do not match; the pods of others
// are left alone (IgnoredDuringExecution).
func (j *judgement) gone(a Answer) {
	if j.pod.way != daemon {
		return
	}
	switch a {
	case No:
		j.running(Removed, 0)
	case Unknown:
		j.running(RunningUnknown, 0)
	}
}
