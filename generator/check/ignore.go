package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// The codes of findings about the RenderCheck itself.
const (
	CodeIgnoreExpired = "ignore-expired"
	CodeIgnoreUnused  = "ignore-unused"
)

// WithoutIgnored takes the findings out that the RenderCheck accepts on a day. An entry whose day has passed accepts
// nothing and is a finding itself, and so is one that accepts nothing because there is nothing left to accept.
func (r *Result) WithoutIgnored(check *v1alpha1.RenderCheck, today time.Time) {
	var own []Finding
	accepts := make([]bool, len(check.Spec.Ignore))
	expired := make([]bool, len(check.Spec.Ignore))
	for i, entry := range check.Spec.Ignore {
		until, err := time.Parse(time.DateOnly, string(entry.Until))
		if expired[i] = err != nil || today.UTC().Truncate(24*time.Hour).After(until); expired[i] {
			own = append(own, expiredFinding(check, i, entry))
		}
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		ignored := false
		for i := range check.Spec.Ignore {
			if check.Spec.Ignore[i].Means(f.Code, f.File, f.object()) {
				accepts[i] = true
				ignored = ignored || !expired[i]
			}
		}
		if ignored {
			r.Ignored = append(r.Ignored, f)
		}
		return ignored
	})
	for i, entry := range check.Spec.Ignore {
		if !accepts[i] && !expired[i] {
			own = append(own, unusedFinding(check, i, entry))
		}
	}
	r.Findings = merge(append(r.Findings, own...))
}

func expiredFinding(check *v1alpha1.RenderCheck, i int, entry v1alpha1.IgnoredFinding) Finding {
	f := inCheck(check, strict.Item("spec.ignore", i),
		fmt.Sprintf("%s was accepted until %s (%s), and that day has passed", entry.Code, entry.Until, entry.Reason),
		"mend what it accepted, or decide anew and write a later day")
	f.Code, f.Severity = CodeIgnoreExpired, finding.Error
	return f
}

func unusedFinding(check *v1alpha1.RenderCheck, i int, entry v1alpha1.IgnoredFinding) Finding {
	f := inCheck(check, strict.Item("spec.ignore", i),
		fmt.Sprintf("nothing is found any more that this entry accepts (%s)", entry.Code), "remove the entry")
	f.Code, f.Severity = CodeIgnoreUnused, finding.Warning
	return f
}

// inCheck makes a finding about a field of the RenderCheck.
func inCheck(check *v1alpha1.RenderCheck, field, message, action string) Finding {
	position := check.Position(field)
	f := At(finding.Source{File: position.File, Line: position.Line}, message, action)
	f.Field = field
	return f
}

// InCheck makes a finding about a field of the repository's RenderCheck.
func (r *Repository) InCheck(field, message, action string) Finding {
	return inCheck(r.Check, field, message, action)
}
