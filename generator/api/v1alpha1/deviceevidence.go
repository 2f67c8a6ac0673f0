package v1alpha1

import "github.com/berth-dev/berth/generator/api/strict"

// DeviceEvidence says that nodes were seen to offer a device plugin's resources. Without it no consumer is switched.
type DeviceEvidence struct {
	TypeMeta `json:",inline"`
	// Metadata names the evidence. The annotation config.kubernetes.io/local-config: "true" keeps it out of the cluster.
	Metadata FileMeta `json:"metadata"`
	// Spec is what was seen.
	Spec DeviceEvidenceSpec `json:"spec"`

	// origin says where each field was read from; nil for an object that was made in code.
	origin *strict.Index
}

// DeviceEvidenceSpec is the body of a DeviceEvidence.
type DeviceEvidenceSpec struct {
	// Plugin is the name of the DevicePlugin.
	Plugin string `json:"plugin" jsonschema:"minLength=1"`
	// Image is the plugin's image that ran, with its digest. What another image offers proves nothing.
	Image string `json:"image" jsonschema:"minLength=1"`
	// SeenBy is who looked: a person, or berth confirm.
	SeenBy string `json:"seenBy" jsonschema:"pattern=\\S"`
	// SeenAt is the day or the time of it, such as "2026-10-01" or "2026-10-01T22:25:33Z", in quotes.
	SeenAt string `json:"seenAt" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2}))?$"`
	// SeenWith is how: a command, such as kubectl get node k3s-prod-1 -o jsonpath={.status.allocatable}.
	SeenWith string `json:"seenWith" jsonschema:"pattern=\\S"`
	// Nodes are what each node offered.
	Nodes []NodeEvidence `json:"nodes" jsonschema:"minItems=1"`
}

// NodeEvidence is what one node offered.
type NodeEvidence struct {
	// Name is the registered name of the node.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Allocatable is how many of each resource the node's status.allocatable held.
	Allocatable map[string]int64 `json:"allocatable"`
}

// Position says where a field, such as spec.nodes[0], stands in the file that the evidence was read from. It is the zero
// Position for an object that was made in code.
func (e *DeviceEvidence) Position(path string) strict.Position { return e.origin.Position(path) }
