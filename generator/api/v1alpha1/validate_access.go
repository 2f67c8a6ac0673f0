package v1alpha1

import (
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
)

func (v *validator) allow() {
	for i, entry := range v.intent.Spec.Allow {
		path := strict.Item("spec.allow", i)
		v.workload(path+".workload", entry.Workload)
		v.carrier(path, entry.Workload, entry.Carrier)
		if entry.Workload.Kind == KindHelmRelease && entry.Helm == nil {
			v.fail(path, "a HelmRelease keeps its tolerations where its chart wants them: name the places, as in helm: {values: [tolerations]}")
		}
		if len(entry.Tolerate) == 0 {
			v.fail(path+".tolerate", "tolerates nothing: name taints of spec.taints, or remove the entry")
		}
		v.taintNames(path+".tolerate", entry.Tolerate)
		v.reason(path+".reason", entry.Reason, "may run on a tainted node", entry.Workload)
	}
}

func (v *validator) deny() {
	for i, entry := range v.intent.Spec.Deny {
		path := strict.Item("spec.deny", i)
		v.workload(path+".workload", entry.Workload)
		v.carrier(path, entry.Workload, entry.Carrier)
		v.reason(path+".reason", entry.Reason, "must stay off the tainted nodes", entry.Workload)
	}
}

func (v *validator) reason(path, reason, what string, w Workload) {
	if strings.TrimSpace(reason) == "" {
		v.fail(path, "is missing: say why %s %s", w, what)
	}
}

// carrier checks the places in a HelmRelease.
func (v *validator) carrier(path string, w Workload, c Carrier) {
	if c.Helm == nil {
		return
	}
	if w.Kind != "" && w.Kind != KindHelmRelease {
		v.fail(path+".helm", "helm is for the kind HelmRelease: Berth knows where a %s keeps its tolerations, so remove it", w.Kind)
	}
	if len(c.Helm.Values) == 0 {
		v.fail(path+".helm.values", "names no place: list paths of toleration lists in spec.values, such as tolerations")
	}
	seen := map[string]string{}
	for i, place := range c.Helm.Values {
		at := strict.Item(path+".helm.values", i)
		if err := checkValuesPath(place); err != nil {
			v.fail(at, "%v", err)
		}
		if first, twice := seen[place]; twice {
			v.fail(at, "%s was listed before, %s: list it once", place, v.intent.origin.Where(first))
			continue
		}
		seen[place] = at
	}
}
