package podspec

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// ServiceLBTolerations is the annotation of a Service from which k3s's ServiceLB takes tolerations for its svclb pods,
// beside those that they always have: YAML or JSON, a list (k3s-io/k3s pkg/cloudprovider/servicelb.go).
const ServiceLBTolerations = "svccontroller.k3s.cattle.io/tolerations"

func isService(o Object) bool { return o.Kind == "Service" && o.APIVersion == "v1" }

func serviceLB(root *yaml.Node, o Object) (Places, error) {
	kind := tree.Lookup(root, o.At.Join("spec", "type")...)
	if kind == nil || kind.Value != "LoadBalancer" {
		return Places{}, errors.New("a Service runs no pods, unless it is of type LoadBalancer and ServiceLB makes some for it")
	}
	return Places{Slots: []Slot{{Text: o.At.Join("metadata", "annotations", ServiceLBTolerations)}}}, nil
}

// MisspelledServiceLB returns the annotations of a Service that were probably meant to be ServiceLB's, sorted: nobody
// reads them.
func MisspelledServiceLB(o Object) []string {
	if !isService(o) {
		return nil
	}
	var wrong []string
	for _, key := range slices.Sorted(maps.Keys(o.Annotations)) {
		prefix, name, _ := strings.Cut(strings.ToLower(key), "/")
		ofServiceLB := strings.Contains(prefix, "svccontroller") || strings.Contains(prefix, "servicelb") ||
			strings.Contains(prefix, "klipper") || strings.Contains(prefix, "cattle.io")
		if ofServiceLB && strings.Contains(name, "tolera") && key != ServiceLBTolerations {
			wrong = append(wrong, key)
		}
	}
	return wrong
}
