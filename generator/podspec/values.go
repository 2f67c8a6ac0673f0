package podspec

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/tree"
)

// The API groups of the kinds that hold the values of a chart, or patches.
const (
	fluxHelmGroup      = "helm.toolkit.fluxcd.io"
	fluxKustomizeGroup = "kustomize.toolkit.fluxcd.io"
	k3sHelmGroup       = "helm.cattle.io"
	argoGroup          = "argoproj.io"
)

func is(o Object, group, kind string) bool { return o.Kind == kind && Group(o.APIVersion) == group }

func isHelmRelease(o Object) bool { return is(o, fluxHelmGroup, v1alpha1.KindHelmRelease) }

func isHelmChart(o Object) bool {
	return is(o, k3sHelmGroup, v1alpha1.KindHelmChart) || is(o, k3sHelmGroup, v1alpha1.KindHelmChartConfig)
}

func isApplication(o Object) bool { return is(o, argoGroup, v1alpha1.KindApplication) }

func isKustomization(o Object) bool { return is(o, fluxKustomizeGroup, v1alpha1.KindKustomization) }

// needsPlaces tells whether only the intent can say where in the object something belongs.
func needsPlaces(o Object) bool {
	return isHelmRelease(o) || isHelmChart(o) || isApplication(o) || isKustomization(o)
}

// inside returns the places that the intent names in what an object hands on: values of a chart, or patches.
func inside(root *yaml.Node, o Object, carrier v1alpha1.Carrier) (Places, error) {
	if !needsPlaces(o) {
		return Places{}, fmt.Errorf("%s of %s holds neither values of a chart nor patches: helm and pods are for HelmRelease, HelmChart, HelmChartConfig, Kustomization and Application", o.Kind, o.APIVersion)
	}
	var places Places
	if carrier.Helm != nil {
		for _, value := range carrier.Helm.Values {
			path, err := tree.Parse(value)
			if err != nil {
				return Places{}, err
			}
			slot, err := valueSlot(root, o, path)
			if err != nil {
				return Places{}, err
			}
			places.Slots = append(places.Slots, slot)
		}
		carrier.Pods = append(carrier.Pods[:len(carrier.Pods):len(carrier.Pods)], carrier.Helm.Pods...)
	}
	for _, pod := range carrier.Pods {
		slot, err := patchSlot(root, o, pod)
		if err != nil {
			return Places{}, err
		}
		places.Slots = append(places.Slots, slot)
	}
	if len(places.Slots) == 0 {
		return Places{}, refused(o)
	}
	return places, nil
}

// valueSlot finds where an object keeps a value of its chart.
func valueSlot(root *yaml.Node, o Object, value tree.Path) (Slot, error) {
	switch {
	case isHelmRelease(o):
		return valueAt(o.At.Join("spec", "values"), value), nil
	case isHelmChart(o):
		return chartSlot(root, o, value)
	case isApplication(o):
		return applicationSlot(root, o, value)
	}
	return Slot{}, fmt.Errorf("a %s holds no values of a chart: name the pods that it applies in pods", o.Kind)
}

// chartSlot finds a value of a HelmChart or HelmChartConfig of k3s: in spec.values, a mapping that newer versions know
// and that wins over spec.valuesContent, or in spec.valuesContent, which every version knows (k3s docs, Helm).
func chartSlot(root *yaml.Node, o Object, value tree.Path) (Slot, error) {
	values, content := o.At.Join("spec", "values"), o.At.Join("spec", "valuesContent")
	_, inText, err := TextAt(root, content)
	if err != nil {
		return Slot{}, err
	}
	switch {
	case tree.Lookup(root, values.Join(value...)...) != nil:
		return valueAt(values, value), nil
	case inText != nil && tree.Lookup(inText.Content[0], value...) != nil, tree.IsNull(tree.Lookup(root, values...)):
		return valueInText(content, value), nil
	}
	return valueAt(values, value), nil
}

func valueAt(values, value tree.Path) Slot {
	slot := valueInText(nil, value)
	slot.Tolerations = values.Join(value...)
	if slot.NodeAffinity != nil {
		slot.Affinity, slot.NodeAffinity = values.Join(slot.Affinity...), values.Join(slot.NodeAffinity...)
	}
	return slot
}

// valueInText makes the slot of a value that stands in YAML of its own. Charts have the affinity beside the tolerations,
// as the pod has; Longhorn's line is the one value that is none of a pod's.
func valueInText(text, value tree.Path) Slot {
	slot := Slot{Tolerations: value, Text: text, Values: value, ChartDefaults: true}
	if value[len(value)-1] == longhornLine {
		slot.Form = Line
		return slot
	}
	if value[len(value)-1] == "tolerations" { // beside csi.pluginTolerations, say, nobody knows what the chart reads
		slot.Affinity = value.Beside("affinity")
		slot.NodeAffinity = slot.Affinity.Join("nodeAffinity")
	}
	return slot
}

const longhornLine = "taintToleration"

// ValuesSlot makes the slot of a value in a values file.
func ValuesSlot(path string) (Slot, error) {
	value, err := tree.Parse(path)
	if err != nil {
		return Slot{}, err
	}
	return valueInText(nil, value), nil
}
