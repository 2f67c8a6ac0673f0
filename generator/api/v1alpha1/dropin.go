package v1alpha1

// Distribution is a Kubernetes distribution that reads config.yaml.d.
type Distribution string

// The distributions that Berth writes drop-ins for.
const (
	K3s  Distribution = "k3s"
	RKE2 Distribution = "rke2"
)

// DropIn says how a node's taints are written into its configuration.
type DropIn struct {
	// FileName is the name inside config.yaml.d, ending in .yaml or .yml. k3s reads the folder in bytewise order.
	// Default: 90-berth-taints.yaml.
	FileName string `json:"fileName,omitempty" jsonschema:"default=90-berth-taints.yaml,maxLength=253,pattern=^[_A-Za-z0-9][-._A-Za-z0-9]*\\.[yY][aA]?[mM][lL]$"`
	// Mode is append (node-taint+, the default) or own (node-taint, which replaces what earlier files say).
	Mode DropInMode `json:"mode,omitempty" jsonschema:"enum=append,enum=own,default=append"`
}

// DropInMode is the way in which a drop-in treats the list that earlier files built.
type DropInMode string

// The drop-in modes.
const (
	Append DropInMode = "append"
	Own    DropInMode = "own"
)
