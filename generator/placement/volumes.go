package placement

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
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

// volumeMap knows which claims are bound to volumes with a node affinity.
type volumeMap map[string]pin // by namespace/claim

// readVolumes finds PersistentVolumes with a node affinity, and the claims that they or that name them.
func readVolumes(objects []*object) (volumeMap, error) {
	pins := map[string]pin{}
	bound := volumeMap{}
	for _, o := range objects {
		if o.Kind != "PersistentVolume" || o.APIVersion != "v1" {
			continue
		}
		spec, err := readVolume(o)
		if err != nil {
			return nil, err
		}
		if spec.NodeAffinity == nil || spec.NodeAffinity.Required == nil {
			continue
		}
		pins[o.Name] = pin{volume: o.Name, nodes: newAlternatives(spec.NodeAffinity.Required)}
		if ref := spec.ClaimRef; ref != nil {
			bound.bind(ref.Namespace, ref.Name, pins[o.Name])
		}
	}
	bound.byClaims(objects, pins)
	return bound, nil
}

func readVolume(o *object) (spec corev1.PersistentVolumeSpec, err error) {
	fields := pick(o.at("spec"), "nodeAffinity", "claimRef")
	if fields == nil {
		return spec, nil
	}
	if err := decodeInto(fields, &spec); err != nil {
		return spec, o.fault(typeFault(fields, err))
	}
	return spec, nil
}

// byClaims binds the claims that name their volume.
func (m volumeMap) byClaims(objects []*object, pins map[string]pin) {
	for _, o := range objects {
		if o.Kind != "PersistentVolumeClaim" || o.APIVersion != "v1" {
			continue
		}
		if name := o.at("spec", "volumeName"); name != nil {
			if p, found := pins[name.Value]; found {
				m.bind(o.Namespace, o.Name, p)
			}
		}
	}
}

func (m volumeMap) bind(namespace, claim string, p pin) {
	p.claim = claim
	m[namespace+"/"+claim] = p
}

// replicas returns the bound volumes of a workload's pods, one list for each pod that differs; nil when no pod has any.
func (m volumeMap) replicas(o *object, spec corev1.PodSpec) []replica {
	if len(m) == 0 {
		return nil
	}
	var shared replica
	for _, v := range spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			shared = m.append(shared, o.Namespace, v.PersistentVolumeClaim.ClaimName)
		}
	}
	count, templates := claimTemplates(o)
	var all []replica
	some := len(shared) > 0
	for ordinal := range count {
		one := append(replica(nil), shared...)
		for _, name := range templates {
			one = m.append(one, o.Namespace, name+"-"+o.Name+"-"+itoa(ordinal))
		}
		some = some || len(one) > 0
		all = append(all, one)
	}
	if !some {
		return nil
	}
	return all
}

func (m volumeMap) append(to replica, namespace, claim string) replica {
	if p, found := m[namespace+"/"+claim]; found {
		return append(to, p)
	}
	return to
}

// claimTemplates returns how many pods with claims of their own an object makes, and the names of the templates. Only a
// StatefulSet does; others have one pod, as far as volumes go.
func claimTemplates(o *object) (int, []string) {
	if o.Kind != "StatefulSet" {
		return 1, nil
	}
	count := 1
	if replicas := tree.Lookup(o.root(), "spec", "replicas"); replicas != nil {
		if n, err := atoi(replicas.Value); err == nil && n > 0 {
			count = n
		}
	}
	var names []string
	if list := tree.Lookup(o.root(), "spec", "volumeClaimTemplates"); list != nil {
		for _, template := range list.Content {
			names = append(names, stream.MetaOf(tree.Resolve(template)).Name)
		}
	}
	if len(names) == 0 {
		count = 1
	}
	return min(count, 1000), names
}
