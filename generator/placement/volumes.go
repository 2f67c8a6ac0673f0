package placement

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// replica are the volumes of one pod that can be reached from some nodes only.
type replica []pin

// pin is a claim bound to such a volume.
type pin struct {
	claim, volume string
	nodes         *alternatives
}

func (r replica) holds(node *Node, object *corev1.Node) Answer {
	result := Yes
	for _, p := range r {
		result = both(result, p.nodes.holds(node, object))
	}
	return result
}

// volumes looks at the volumes that are bound to nodes. The pods of a StatefulSet have claims of their own: it is enough
// when one of them may run here.
func (j *judgement) volumes() {
	if len(j.pod.volumes) == 0 {
		return
	}
	result := No
	var elsewhere, open []string
	for _, r := range j.pod.volumes {
		got := r.holds(j.node, j.object)
		result = either(result, got)
		for _, p := range r {
			text := fmt.Sprintf("claim %s is bound to volume %s, which asks for %s", p.claim, p.volume, p.nodes.lacking(j.node, j.object, No))
			switch p.nodes.holds(j.node, j.object) {
			case No:
				elsewhere = append(elsewhere, text)
			case Unknown:
				open = append(open, text)
			}
		}
	}
	switch {
	case result == No:
		j.block(CodeVolume, strings.Join(elsewhere, "; "), "move the data, or let the workload tolerate the node that holds it")
	case result == Unknown:
		j.unknown(CodeVolumeUnknown, strings.Join(append(elsewhere, open...), "; ")+", and not all labels of the node are known", giveNodes)
	case len(elsewhere) > 0:
		j.note(CodeVolume, "only some of its pods can run here: "+strings.Join(elsewhere, "; "))
	default:
		j.add(Permits, CodeReachable, "its volumes can be reached from here", "")
	}
}
