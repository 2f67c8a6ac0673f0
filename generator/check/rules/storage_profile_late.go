package rules

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/tree"
)

var storageProfileLate = &check.Rule{
	Code: "storage-profile-late", Group: check.Order, Severity: finding.Error,
	Title: "A virtual disk may be provisioned before the StorageProfile of its class",
	Help: `CDI reads the StorageProfile of a storage class once, when it provisions a DataVolume. A disk that is made before the profile
says otherwise is ReadWriteOnce with a file system, for good: its machine can never be migrated live.

The Kustomization with the disk must depend on the one with the StorageProfile.`,
	Environment: func(p *check.Pass) {
		profiles := map[string]*flux.Object{}
		for o := range p.Objects() {
			if is(o, "cdi.kubevirt.io", "StorageProfile") {
				profiles[o.Name] = o
			}
		}
		order := newOrder(p)
		for o := range p.Objects() {
			for _, disk := range disksOf(o) {
				profile := profiles[disk.class]
				if profile == nil || profile.Kustomization == o.Kustomization || order.after(o.Kustomization, profile.Kustomization) {
					continue
				}
				p.Report(check.On(o, disk.path, fmt.Sprintf("a disk of the class %s may be provisioned before its StorageProfile, which comes with Kustomization %s", disk.class, profile.Kustomization.ID),
					fmt.Sprintf("add %s to the dependsOn of Kustomization %s", profile.Kustomization.Name, o.Kustomization.Name)))
			}
		}
	},
}

type disk struct {
	class string
	path  tree.Path
}

// disksOf are the disks that CDI provisions for an object.
func disksOf(o *flux.Object) []disk {
	switch {
	case is(o, "cdi.kubevirt.io", "DataVolume"):
	case is(o, "kubevirt.io", "VirtualMachine"):
	default:
		return nil
	}
	var all []disk
	scalars(o.Node(), func(path tree.Path, node *yaml.Node) {
		if n := len(path); n > 2 && path[n-1] == "storageClassName" && (path[n-2] == "storage" || path[n-2] == "pvc") {
			all = append(all, disk{node.Value, clone(path)})
		}
	})
	return all
}
