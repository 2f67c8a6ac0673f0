package v1alpha1

import (
	"slices"

	"github.com/berth-dev/berth/generator/api/strict"
)

// decision is one entry of an allow or a deny list, as far as comparing it with others goes.
type decision struct {
	path     string
	workload Workload
	carrier  Carrier
}

func (i *TaintIntent) allowed() []decision {
	all := make([]decision, len(i.Spec.Allow))
	for n, entry := range i.Spec.Allow {
		all[n] = decision{strict.Item("spec.allow", n), entry.Workload, entry.Carrier}
	}
	return all
}

func (i *TaintIntent) denied() []decision {
	all := make([]decision, len(i.Spec.Deny))
	for n, entry := range i.Spec.Deny {
		all[n] = decision{strict.Item("spec.deny", n), entry.Workload, entry.Carrier}
	}
	return all
}

// workloadsTwice finds workloads that stand in one list twice, or in both.
func (v *validator) workloadsTwice() {
	v.repeated(v.intent.allowed(), "tolerate all its taints in one entry")
	v.repeated(v.intent.denied(), "remove one")
	for _, denied := range v.intent.denied() {
		for _, allowed := range v.intent.allowed() {
			if denied.contradicts(allowed) {
				v.fail(denied.field(), "%s is denied here and allowed %s as %s: keep one of the two, or narrow the pattern",
					denied.subject(), v.intent.origin.Where(allowed.path), allowed.subject())
			}
		}
	}
}

func (v *validator) repeated(all []decision, advice string) {
	for i, later := range all {
		for _, earlier := range all[:i] {
			if earlier.workload.covers(later.workload) && later.workload.covers(earlier.workload) && earlier.sharesPlace(later) {
				v.fail(later.field(), "%s was listed before, %s: %s", later.subject(), v.intent.origin.Where(earlier.path), advice)
			}
		}
	}
}

// contradicts tells whether one of the two certainly decides about every object that the other decides about. Patterns
// that may overlap, but need not, are left to the render.
func (d decision) contradicts(other decision) bool {
	return d.sharesPlace(other) && (d.workload.covers(other.workload) || other.workload.covers(d.workload))
}

// sharesPlace tells whether both may write to the same pod. Two components of one object are decided separately.
func (d decision) sharesPlace(other decision) bool {
	mine, theirs := d.carrier.places(), other.carrier.places()
	if (d.carrier.HelmValues == nil) != (other.carrier.HelmValues == nil) {
		return false
	}
	if (len(mine) == 0 || len(theirs) == 0) && d.carrier.HelmValues == nil {
		return true
	}
	return slices.ContainsFunc(mine, func(place string) bool { return slices.Contains(theirs, place) })
}

// field is where the entry says what it is about.
func (d decision) field() string {
	if d.carrier.HelmValues != nil {
		return d.path + ".helmValues"
	}
	return d.path + ".workload"
}

// subject names what the decision is about.
func (d decision) subject() string { return subject(d.workload, d.carrier) }

// covers tells whether w matches everything that narrow matches.
func (w Workload) covers(narrow Workload) bool {
	for key, value := range w.Labels {
		if got, found := narrow.Labels[key]; !found || got != value {
			return false
		}
	}
	return covers(w.APIVersion, narrow.APIVersion) && covers(w.Kind, narrow.Kind) &&
		covers(w.Namespace, narrow.Namespace) && covers(w.Name, narrow.Name)
}

// covers compares two patterns. A * in the narrow one is matched as a character, which only a * of the wide one takes in.
func covers(wide, narrow string) bool {
	if narrow == "" {
		narrow = "*"
	}
	return wide == "" || glob(wide, narrow)
}
