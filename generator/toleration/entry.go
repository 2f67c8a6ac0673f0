package toleration

import (
	"fmt"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// carrierOf is an entry of either list.
type carrierOf struct {
	v1alpha1.Carrier
	workload v1alpha1.Workload
	place    string // allow[0]
	optional bool
	denied   bool
	taints   []v1alpha1.Taint // those to tolerate
	strength v1alpha1.Place   // of the attraction
	labels   []v1alpha1.Label // what attracts
}

// entries lists what an intent asks for, allow entries first.
func entries(intent *v1alpha1.TaintIntent) []carrierOf {
	var all []carrierOf
	for i, a := range intent.Spec.Allow {
		e := carrierOf{Carrier: a.Carrier, workload: a.Workload, place: fmt.Sprintf("allow[%d]", i), optional: a.Optional}
		e.taints, e.strength = intent.TaintsByName(a.Tolerate), a.Place
		if a.Place != "" {
			e.labels = intent.LabelsByName(a.Tolerate)
		}
		all = append(all, e)
	}
	for i, d := range intent.Spec.Deny {
		all = append(all, carrierOf{Carrier: d.Carrier, workload: d.Workload, place: fmt.Sprintf("deny[%d]", i), optional: d.Optional, denied: true})
	}
	return all
}
