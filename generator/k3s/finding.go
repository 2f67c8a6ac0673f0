package k3s

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/generator/finding"
)

// Finding is one thing that is wrong, or worth knowing, about a node's configuration. An error means that the agent does
// not start or that a taint that was asked for is lost.
type Finding struct {
	finding.Finding
	// StopsAgent is set when k3s, RKE2 or the kubelet in it would exit instead of starting.
	StopsAgent bool `json:"stopsAgent,omitempty"`
}

// at is a place in a file.
func at(file string, line int) finding.Source { return finding.Source{File: file, Line: line} }

// sorted puts the worst first, then by place, and drops repetitions: several invocations may stand in one file.
func sorted(all []Finding) []Finding {
	severities := []finding.Severity{finding.Error, finding.Warning, finding.Info}
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(all)
}
