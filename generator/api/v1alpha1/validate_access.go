package v1alpha1

import (
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
)

func (v *validator) allow() {
	for i, entry := range v.intent.Spec.Allow {
		path := strict.Item("spec.allow", i)
		v.selection(path, entry.Workload, entry.Carrier)
		v.placesNeeded(path, entry.Workload, entry.Carrier)
		if len(entry.Tolerate) == 0 {
			v.fail(path+".tolerate", "tolerates nothing: name taints of spec.taints, or remove the entry")
		}
		v.taintNames(path+".tolerate", entry.Tolerate)
		v.place(path+".place", entry)
		v.reason(path+".reason", entry.Reason, "may run on a tainted node", subject(entry.Workload, entry.Carrier))
	}
}

func (v *validator) deny() {
	for i, entry := range v.intent.Spec.Deny {
		path := strict.Item("spec.deny", i)
		v.selection(path, entry.Workload, entry.Carrier)
		v.reason(path+".reason", entry.Reason, "must stay off the tainted nodes", subject(entry.Workload, entry.Carrier))
	}
}

// selection checks which objects an entry means, and where in them.
func (v *validator) selection(path string, w Workload, c Carrier) {
	if c.HelmValues == nil {
		v.workload(path+".workload", w)
	} else if !w.IsZero() {
		v.fail(path+".workload", "an entry with helmValues is about a file, not about an object of the render: keep one of the two")
	}
	v.carrier(path, w, c)
}

// subject names what an entry is about.
func subject(w Workload, c Carrier) string {
	if c.HelmValues != nil {
		return "what is installed with " + c.HelmValues.File
	}
	return w.String()
}

func (v *validator) reason(path, reason, what, subject string) {
	if strings.TrimSpace(reason) == "" {
		v.fail(path, "is missing: say why %s %s", subject, what)
	}
}

// place checks that there is something to draw the workload to.
func (v *validator) place(path string, entry Allow) {
	if entry.Place == "" {
		return
	}
	v.oneOf(path, string(entry.Place), string(Prefer), string(Require))
	for _, name := range entry.Tolerate {
		if len(v.intent.TaintsByName([]string{name})) == 1 && v.intent.labelOf(name) == nil {
			v.fail(path, "the taint %s has no label to be drawn to: give it one in spec.taints, such as label: example.com/%s=true", name, name)
		}
	}
}
