package podspec

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// patchSlot finds the list in which an object keeps patches for what it renders.
func patchSlot(root *yaml.Node, o Object, pod v1alpha1.Pod) (Slot, error) {
	slot := Slot{Form: Patch, Pod: pod}
	switch {
	case isKustomization(o):
		slot.Tolerations = o.At.Join("spec", "patches")
	case isHelmRelease(o):
		slot.Tolerations, slot.Renderers = o.At.Join("spec", "postRenderers"), true
	case isApplication(o):
		source, err := sourceWith(root, o, "kustomize", "path")
		if err != nil {
			return Slot{}, err
		}
		for _, other := range []string{"chart", "helm"} {
			if tree.Lookup(root, source.Join(other)...) != nil {
				return Slot{}, fmt.Errorf("%s has a %s, and patches are for kustomizations: name the place in helm.values", source, other)
			}
		}
		slot.Tolerations = source.Join("kustomize", "patches")
	default:
		return Slot{}, fmt.Errorf("a %s has no patches: name the place in helm.values", o.Kind)
	}
	return slot, nil
}

// TemplateOf returns where one of Kubernetes' own kinds keeps the tolerations of its pods, and false for any other kind.
func TemplateOf(kind string) (Slot, bool) {
	for _, r := range builtin {
		if r.kind == kind {
			slot := Slot{Tolerations: mustParse(r.paths[0])}
			slot.placeAffinity(Object{APIVersion: r.group + "/v1", Kind: kind})
			return slot, slot.NodeAffinity != nil
		}
	}
	return Slot{}, false
}
