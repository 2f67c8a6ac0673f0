package podspec

import (
	"fmt"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// helmGroup is the API group of Flux's HelmRelease.
const helmGroup = "helm.toolkit.fluxcd.io"

func isHelmRelease(o Object) bool {
	return o.Kind == "HelmRelease" && Group(o.APIVersion) == helmGroup
}

// helmSlots returns the places that the intent names in spec.values. Only the chart knows what it reads, so that a
// HelmRelease without a named place has none.
func helmSlots(o Object, carrier v1alpha1.Carrier) ([]Slot, error) {
	if carrier.Helm == nil || len(carrier.Helm.Values) == 0 {
		return nil, fmt.Errorf("a HelmRelease does not say where its chart keeps tolerations; name the place in helm.values, such as [tolerations]")
	}
	var slots []Slot
	for _, value := range carrier.Helm.Values {
		path, err := tree.Parse(value)
		if err != nil {
			return nil, err
		}
		path = o.At.Join("spec", "values").Join(path...)
		slots = append(slots, Slot{Tolerations: path, Affinity: path.Beside("affinity"), ChartDefaults: true})
	}
	return slots, nil
}
