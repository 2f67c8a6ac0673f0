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

// Input is what a cluster is read from.
type Input struct {
	// Intents name the nodes and their taints. May be empty when there are Node objects.
	Intents []*v1alpha1.TaintIntent
	// Plugins say which nodes offer which extended resource, where no Node object does.
	Plugins []*v1alpha1.DevicePlugin
	// Render holds the workloads, and perhaps Node objects.
	Render []*stream.Item
	// Nodes holds further Node objects, such as those of a live cluster; other kinds in it are passed over.
	Nodes []*stream.Item
}

// Read reads a cluster. The error is for input that no answer can be given on; a workload that cannot be read is a
// finding, and unknown on every node.
func Read(in Input) (*Cluster, error) {
	r := &reader{entries: entriesOf(in.Intents), pods: map[string]*pod{}}
	all, err := objects(in.Render, r.wanted)
	if err != nil {
		return nil, err
	}
	live, err := objects(in.Nodes, func(apiVersion, kind string) bool { return apiVersion == "v1" && kind == "Node" })
	if err != nil {
		return nil, err
	}
	c := &Cluster{}
	if c.Nodes, err = mergeNodes(intentNodes(in.Intents), append(slices.Clone(all), live...), in.Intents); err != nil {
		return nil, err
	}
	promise(c.Nodes, in.Plugins)
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
	_, err := podspec.Slots(&yaml.Node{Kind: yaml.MappingNode}, podspec.Object{APIVersion: apiVersion, Kind: kind}, v1alpha1.Carrier{})
	return err == nil || kind == "Service" || r.named(kind)
}

// named says whether an entry of an intent is about a kind.
func (r *reader) named(kind string) bool {
	for _, e := range r.entries {
		if e.workload.Kind == kind {
			return true
		}
	}
	return false
}

// entry is a line of an allow or a deny list that is about the render.
type entry struct {
	workload v1alpha1.Workload
	carrier  v1alpha1.Carrier
}

// entriesOf lists the entries of intents. Those about a values file have no workload: no render holds it.
func entriesOf(intents []*v1alpha1.TaintIntent) []entry {
	var all []entry
	add := func(w v1alpha1.Workload, c v1alpha1.Carrier) {
		if c.HelmValues == nil {
			all = append(all, entry{w, c})
		}
	}
	for _, intent := range intents {
		for _, allow := range intent.Spec.Allow {
			add(allow.Workload, allow.Carrier)
		}
		for _, deny := range intent.Spec.Deny {
			add(deny.Workload, deny.Carrier)
		}
	}
	return all
}
