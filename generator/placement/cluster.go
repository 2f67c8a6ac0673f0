package placement

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/podspec"
	"github.com/berth-dev/berth/generator/stream"
)

// Cluster is what is known of a cluster: its nodes, and the workloads of a render.
type Cluster struct {
	// Nodes are sorted by name.
	Nodes []*Node
	// Workloads are sorted by namespace, kind and name.
	Workloads []*Workload
	// Unseen are the objects whose controllers make workloads that are not in the render.
	Unseen []finding.Object
	// Findings say which workloads cannot be read, with the place.
	Findings []finding.Finding
}

// Read reads a cluster from intents and a render, which may hold Node objects; further ones, such as those of a live
// cluster, come in nodes. The error is for input that no answer can be given on; a workload that cannot be read is a
// finding, and unknown on every node.
func Read(intents []*v1alpha1.TaintIntent, render, nodes []*stream.Item) (*Cluster, error) {
	r := &reader{intents: intents, pods: map[string]*pod{}}
	all, err := objects(render, r.wanted)
	if err != nil {
		return nil, err
	}
	live, err := objects(nodes, func(apiVersion, kind string) bool { return apiVersion == "v1" && kind == "Node" })
	if err != nil {
		return nil, err
	}
	c := &Cluster{}
	if c.Nodes, err = mergeNodes(intentNodes(intents), append(slices.Clone(all), live...), intents); err != nil {
		return nil, err
	}
	if r.volumes, err = readVolumes(all); err != nil {
		return nil, err
	}
	if r.classes, err = readRuntimeClasses(all); err != nil {
		return nil, err
	}
	for _, o := range all {
		r.read(o)
	}
	slices.SortStableFunc(r.workloads, (*Workload).compare)
	c.Workloads, c.Unseen, c.Findings = r.workloads, r.unseen, r.findings
	finding.Sort(c.Findings)
	return c, nil
}

// context are the kinds that say something of nodes, pods or volumes without being workloads.
var context = []string{"Node", "PersistentVolume", "PersistentVolumeClaim", "RuntimeClass"}

// wanted passes over kinds that cannot matter, so that their trees are never made.
func (r *reader) wanted(apiVersion, kind string) bool {
	if slices.Contains(context, kind) || makers[kind] != "" {
		return true
	}
	if slots, err := podspec.Slots(&yaml.Node{Kind: yaml.MappingNode}, podspec.Object{APIVersion: apiVersion, Kind: kind}, v1alpha1.Carrier{}); err == nil || len(slots) > 0 {
		return true
	}
	return r.named(kind)
}

// named says whether an entry of an intent is about a kind.
func (r *reader) named(kind string) bool {
	for _, intent := range r.intents {
		for _, allow := range intent.Spec.Allow {
			if allow.Workload.Kind == kind {
				return true
			}
		}
		for _, deny := range intent.Spec.Deny {
			if deny.Workload.Kind == kind {
				return true
			}
		}
	}
	return false
}
