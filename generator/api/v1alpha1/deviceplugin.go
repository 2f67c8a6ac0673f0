package v1alpha1

import "github.com/berth-dev/berth/generator/api/strict"

// LabelDevicePlugin is on every object of a device plugin, and holds the name of its DevicePlugin.
const LabelDevicePlugin = "berth.dev/device-plugin"

// DevicePlugin declares a device plugin: which devices of which nodes it offers, how it is deployed, and which workloads
// change from a hostPath to a request for what it offers.
type DevicePlugin struct {
	TypeMeta `json:",inline"`
	// Metadata names the plugin.
	Metadata FileMeta `json:"metadata"`
	// Spec is what the plugin offers, and to whom.
	Spec DevicePluginSpec `json:"spec"`

	// origin says where each field was read from; nil for an object that was made in code.
	origin *strict.Index
}

// FileMeta is the metadata of an object that stays in Git.
type FileMeta struct {
	// Name tells one object from another. A DNS-1123 subdomain of at most 63 characters.
	Name string `json:"name" jsonschema:"maxLength=63,pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"`
	// Namespace means nothing here. It may stand because kustomize writes its own namespace into every object that it
	// reads.
	Namespace string `json:"namespace,omitempty"`
	// Labels are for the reader: Berth gives them no meaning.
	Labels map[string]string `json:"labels,omitempty"`
	// Annotations tell other tools how to treat the file, such as config.kubernetes.io/local-config: "true", which keeps
	// it out of the cluster.
	Annotations map[string]string `json:"annotations,omitempty"`
}

// DevicePluginSpec is the body of a DevicePlugin.
type DevicePluginSpec struct {
	// Preset is intel-gpu (Berth's plugin, with the names that Intel's plugin gives), intel-gpu-upstream (Intel's own
	// image, deployed in the same form) or generic (Berth's plugin, for the devices that are listed).
	Preset Preset `json:"preset" jsonschema:"enum=intel-gpu,enum=intel-gpu-upstream,enum=generic"`
	// Resource is one name for all GPUs, whichever driver they use. Left out, they are gpu.intel.com/i915 and
	// gpu.intel.com/xe by their driver, as Intel's plugin names them, so that a change of the driver changes the name. A name
	// that is no longer used stays on the nodes with the count 0, since the kubelet never deletes one.
	Resource string `json:"resource,omitempty" jsonschema:"maxLength=308,pattern=^[-.a-z0-9]+/[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$"`
	// Select leaves out GPUs that do not match. Only for the preset intel-gpu, whose default is every GPU of Intel's.
	Select *GPUSelector `json:"select,omitempty"`
	// Devices lists what the preset generic offers.
	Devices []DeviceResource `json:"devices,omitempty"`
	// Monitoring adds gpu.intel.com/monitoring, which hands out every GPU of a node to one pod that watches them.
	Monitoring bool `json:"monitoring,omitempty"`
	// SharedDevices is how many pods may have one device at a time. More than 1 is a promise that nothing enforces: no part
	// of the GPU is set aside for a pod, so that a loud Unschedulable becomes a quiet slow. Default: 1.
	SharedDevices int32 `json:"sharedDevices,omitempty" jsonschema:"default=1,minimum=1,maximum=10000"`
	// HealthManagement is for intel-gpu-upstream. It is off when left out: it is the one option that opens a device, for
	// which it needs a privileged container beside the plugin.
	HealthManagement *HealthManagement `json:"healthManagement,omitempty"`
	// Deployment says how the plugin runs.
	Deployment `json:",inline"`
	// Flux is the Flux Kustomization that applies the plugin. Left out, none is written.
	Flux *FluxKustomization `json:"flux,omitempty"`
	// Consumers are the workloads that use the devices.
	Consumers []Consumer `json:"consumers,omitempty"`
	// Stage is advertise, which leaves every consumer as it is, or consume, which edits them and is refused without evidence
	// that each of nodes offers what they ask for. A request that no node offers makes a pod Unschedulable, and what waits
	// for the pod stands still. Default: advertise.
	Stage Stage `json:"stage,omitempty" jsonschema:"enum=advertise,enum=consume,default=advertise"`
	// Evidence is the file with the DeviceEvidence, relative to this one. The command line reads it; a function finds the
	// object among its items.
	Evidence string `json:"evidence,omitempty"`
}

// Preset is a device plugin that Berth knows.
type Preset string

// The presets.
const (
	IntelGPU         Preset = "intel-gpu"
	IntelGPUUpstream Preset = "intel-gpu-upstream"
	GenericDevices   Preset = "generic"
)

// Stage is how far the change from hostPath to device plugin has come.
type Stage string

// The stages.
const (
	Advertise Stage = "advertise"
	Consume   Stage = "consume"
)

// HealthManagement is Intel's sidecar that asks the GPUs for their health.
type HealthManagement struct {
	// Image of the sidecar, intel/intel-gpu-levelzero, with tag and digest.
	Image string `json:"image"`
}

// Position says where a field, such as spec.image, stands in the file that the plugin was read from. It is the zero
// Position for an object that was made in code.
func (p *DevicePlugin) Position(path string) strict.Position { return p.origin.Position(path) }
