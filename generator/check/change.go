package check

import (
	"slices"

	"github.com/berth-dev/berth/generator/finding"
)

// Since takes the findings out that an older state of the repository has too, and counts them. What is left is what a change
// brought about, wherever its cause stands: a finding of one file may come from another that was removed. Both results must
// come from the same rules, less what is ignored and accepted.
func (r *Result) Since(before *Result) {
	left := map[seen]int{}
	for _, f := range before.Findings {
		for _, s := range before.seenAs(&f) {
			left[s]++
		}
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		isNew := false
		for _, s := range r.seenAs(&f) {
			if left[s] == 0 {
				isNew = true
				continue
			}
			left[s]--
		}
		if !isNew {
			r.Before++
		}
		return !isNew
	})
}

// seen is a finding in one environment: one that reaches a further environment, or becomes worse, is new there.
type seen struct {
	fingerprint string
	severity    finding.Severity
	environment string // its folder, since names that were found may change; empty for the repository as a whole
}

func (r *Result) seenAs(f *Finding) []seen {
	if len(f.Environments) == 0 {
		return []seen{{f.Fingerprint, f.Severity, ""}}
	}
	all := make([]seen, len(f.Environments))
	for i, name := range f.Environments {
		all[i] = seen{f.Fingerprint, f.Severity, r.folder(name)}
	}
	return all
}

// folder is that of an environment.
func (r *Result) folder(name string) string {
	for _, e := range r.Environments {
		if e.Name == name {
			return e.Path
		}
	}
	return name
}
