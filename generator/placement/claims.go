package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

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
