package daemonset

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/edit"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
)

// Input is what a plugin is held against.
type Input struct {
	// Intents know the nodes and their taints. Without one, nodes and taints are taken on trust.
	Intents []*v1alpha1.TaintIntent
	// Evidence is all that was seen, of this plugin and of others.
	Evidence []*v1alpha1.DeviceEvidence
	// Others are the other plugins of the run.
	Others []*v1alpha1.DevicePlugin
	// Items are the render. The consumers among them are edited.
	Items []*stream.Item
	// Neighbours are further objects of the repository that are only looked at for names that are taken.
	Neighbours []*stream.Item
	// KeepConsumers is for a host that shows a function no resources, as kustomize does under generators: the consumers
	// are neither looked for nor edited.
	KeepConsumers bool
}

// Object is one of the objects that run the plugin.
type Object struct {
	// Name of its file, without a folder.
	Name string
	// Node is the object.
	Node *yaml.RNode
	// Flux says that the object belongs where the cluster's entrypoint is, and not among the plugin's files.
	Flux bool
}

// Output is what follows from a plugin.
type Output struct {
	// Objects run the plugin: the namespace first, the Flux Kustomization last.
	Objects []Object
	// Edits are the changes to consumers, in the order in which they were made.
	Edits []edit.Edit
	// Findings say what was done and what is wrong. With an error among them nothing else must be used.
	Findings []finding.Finding
}

// Generate makes the plugin's objects, and edits its consumers when its stage says so and the evidence allows it. The
// error is for a render that cannot be read; what is wrong with the plugin or a consumer is a finding.
func Generate(plugin *v1alpha1.DevicePlugin, in Input) (*Output, error) {
	r := &run{plugin: plugin, in: in}
	r.nodes()
	r.collisions()
	r.advice()
	objects, err := objects(plugin, in.Intents)
	if err != nil {
		return nil, fmt.Errorf("DevicePlugin %s: %w", plugin.Metadata.Name, err)
	}
	r.out.Objects = objects
	if err := r.consumers(); err != nil {
		return nil, fmt.Errorf("DevicePlugin %s: %w", plugin.Metadata.Name, err)
	}
	return &r.out, nil
}

// run is one application of a plugin.
type run struct {
	plugin *v1alpha1.DevicePlugin
	in     Input
	out    Output
}

func (r *run) add(f finding.Finding) { r.out.Findings = append(r.out.Findings, f) }

// find makes a finding about a field of the plugin.
func (r *run) find(severity finding.Severity, code, field, message, action string) finding.Finding {
	return about(r.plugin, severity, code, field, message, action)
}

func about(plugin *v1alpha1.DevicePlugin, severity finding.Severity, code, field, message, action string) finding.Finding {
	f := finding.Finding{
		Code: code, Severity: severity, Field: field, Message: message, Action: action,
		Object: &finding.Object{APIVersion: v1alpha1.GroupVersion, Kind: v1alpha1.KindDevicePlugin, Name: plugin.Metadata.Name},
	}
	if position := plugin.Position(field); position.Line > 0 {
		f.Source = finding.Source{File: position.File, Line: position.Line}
	}
	return f
}

// advice says what a permitted choice costs.
func (r *run) advice() {
	spec := r.plugin.Spec
	if spec.SharedDevices > 1 {
		r.add(r.find(finding.Warning, "shared-devices", "spec.sharedDevices",
			fmt.Sprintf("%d pods may have one device at a time, and nothing divides it among them", spec.SharedDevices),
			"expect a quiet slowness where one pod to a device would be a loud Unschedulable"))
	}
	if spec.AllowTagOnly && r.plugin.ImageDigest() == "" {
		r.add(r.find(finding.Warning, "image-without-digest", "spec.image",
			"the image has a tag only, which can be moved, so that no evidence can be of this image",
			"add the digest that the registry gives for the tag"))
	}
	if spec.Preset == v1alpha1.IntelGPUUpstream && !*spec.OnlyNodes && len(spec.NodeSelector) == 0 {
		r.add(r.find(finding.Warning, "waits-for-a-device", "spec.onlyNodes",
			"the pod of Intel's image never starts on a node without /dev/dri, and the rollout is never finished",
			"leave onlyNodes out, or select the nodes with nodeSelector"))
	}
	if spec.HealthManagement != nil {
		r.add(r.find(finding.Warning, "privileged-sidecar", "spec.healthManagement",
			"the health sidecar runs privileged, since it opens the devices outside of any request for them",
			"leave it out unless the health of the GPUs decides about pods"))
	}
}
