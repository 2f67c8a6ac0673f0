package k3s

import (
	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
)

// PlacedTaint is a taint with the place that asks for it.
type PlacedTaint struct {
	v1alpha1.Taint
	finding.Source
}

// Report is what k3s makes of a node's configuration.
type Report struct {
	Node         string                `json:"node,omitempty"`
	Distribution v1alpha1.Distribution `json:"distribution"`
	Role         Role                  `json:"role,omitempty"`
	// StartedBy is where the command stands whose flags were counted in.
	StartedBy string `json:"startedBy,omitempty"`
	// Files are the configuration files in the order in which k3s reads them.
	Files []string `json:"files"`
	// Starts is false when something in Findings stops the agent; Taints is then what was asked for, as far as it parses.
	Starts   bool          `json:"starts"`
	Taints   []PlacedTaint `json:"taints"`
	Findings []Finding     `json:"findings"`
}

// Failed reports whether the agent would not start, or something that was asked for would be lost.
func (r *Report) Failed() bool {
	for _, f := range r.Findings {
		if f.Severity == finding.Error {
			return true
		}
	}
	return false
}
