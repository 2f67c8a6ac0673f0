package live

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// pin is a bound volume that only nodes can mount which the intents taint.
type pin struct {
	volume *corev1.PersistentVolume
	nodes  []string
	// users are the pods that mount it and could not come back.
	users []*corev1.Pod
	// keeping are the taints that keep them away.
	keeping []v1alpha1.Taint
	// idle says that no pod mounts it now, so that nobody can tell who will be kept away.
	idle bool
}

// pins finds the volumes whose pods would be Pending after their next restart: the taints let them on none of the nodes
// that the volume can be mounted on ("volume node affinity conflict" on all others).
func (v *view) pins() []pin {
	var all []pin
	for i := range v.Volumes {
		volume := &v.Volumes[i]
		if volume.Spec.ClaimRef == nil || volume.Spec.NodeAffinity == nil || volume.Spec.NodeAffinity.Required == nil {
			continue
		}
		p := pin{volume: volume, nodes: v.mountable(volume.Spec.NodeAffinity.Required)}
		p.idle = true
		if len(p.nodes) == 0 || v.look(&p) {
			continue
		}
		all = append(all, p)
	}
	return all
}

func (v *view) mountable(selector *corev1.NodeSelector) []string {
	lazy := nodeaffinity.NewLazyErrorNodeSelector(selector)
	var names []string
	for i := range v.Nodes {
		if fits, err := lazy.Match(&v.Nodes[i]); err == nil && fits {
			names = append(names, v.Nodes[i].Name)
		}
	}
	return names
}

// look fills in who is kept away; it returns true when nobody is.
func (v *view) look(p *pin) bool {
	for i := range v.Pods {
		pod := &v.Pods[i]
		if !mounts(pod, p.volume.Spec.ClaimRef) {
			continue
		}
		p.idle = false
		if keeping := v.kept(p.nodes, v.makerOf(pod).template.Tolerations); keeping != nil {
			p.users, p.keeping = append(p.users, pod), keeping
		}
	}
	if p.idle {
		p.keeping = v.kept(p.nodes, nil)
	}
	return p.keeping == nil
}

// kept returns the taints of the last node when the intents keep a pod off every one of the nodes, else nil.
func (v *view) kept(nodes []string, tolerations []corev1.Toleration) []v1alpha1.Taint {
	var last []v1alpha1.Taint
	for _, node := range nodes {
		last = untolerated(tolerations, v.wants[node].taints())
		if len(last) == 0 {
			return nil
		}
	}
	return last
}

func mounts(pod *corev1.Pod, claim *corev1.ObjectReference) bool {
	if pod.Namespace != claim.Namespace {
		return false
	}
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil && volume.PersistentVolumeClaim.ClaimName == claim.Name {
			return true
		}
		if volume.Ephemeral != nil && pod.Name+"-"+volume.Name == claim.Name {
			return true
		}
	}
	return false
}

func (p pin) message(v *view) string {
	claim := p.volume.Spec.ClaimRef
	text := fmt.Sprintf("of the claim %s/%s can be mounted on %s only, where %s keeps pods away: ", claim.Namespace, claim.Name, some(p.nodes), strings.Join(texts(p.keeping), " and "))
	if p.idle {
		return text + "no pod mounts it now, and one without the toleration could not"
	}
	var users []string
	for _, pod := range p.users {
		users = append(users, v.makerOf(pod).String())
	}
	return text + some(users) + " would be Pending after the next restart"
}

const pinAction = "allow the workload there, or move its data first"

func (c *comparison) checkVolumes() {
	for _, p := range c.pins() {
		severity := finding.Warning
		if p.idle {
			severity = finding.Info
		}
		c.add(&finding.Object{APIVersion: "v1", Kind: "PersistentVolume", Name: p.volume.Name}, severity, "pinned-volume", p.message(c.view), pinAction)
	}
}
