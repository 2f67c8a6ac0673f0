package v1alpha1

import "cmp"

// The defaults of a TaintIntent.
const (
	DefaultNamespace      = "kube-system"
	DefaultDropInFileName = "90-berth-taints.yaml"
)

// Default fills in what the file leaves out.
func (i *TaintIntent) Default() {
	i.Metadata.Namespace = cmp.Or(i.Metadata.Namespace, DefaultNamespace)
	i.Spec.Distribution = cmp.Or(i.Spec.Distribution, K3s)
	i.Spec.DropIn.FileName = cmp.Or(i.Spec.DropIn.FileName, DefaultDropInFileName)
	i.Spec.DropIn.Mode = cmp.Or(i.Spec.DropIn.Mode, Append)
}
