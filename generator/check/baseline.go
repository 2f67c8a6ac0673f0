package check

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Baseline is a set of findings that are accepted as they are today, so that only new ones count.
type Baseline struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Findings   []BaselineEntry `json:"findings"`
}

// BaselineEntry names a finding. Only the fingerprint counts; the rest is for those who read the file.
type BaselineEntry struct {
	Fingerprint string `json:"fingerprint"`
	Code        string `json:"code"`
	File        string `json:"file,omitempty"`
	Message     string `json:"message"`
}

const baselineKind = "CheckBaseline"

// NewBaseline accepts all findings of a result that are not notes.
func NewBaseline(r *Result) *Baseline {
	b := &Baseline{APIVersion: apiVersion, Kind: baselineKind, Findings: []BaselineEntry{}}
	for _, f := range slices.Concat(r.Findings, r.Baseline) {
		b.Findings = append(b.Findings, BaselineEntry{Fingerprint: f.Fingerprint, Code: f.Code, File: f.File, Message: f.Message})
	}
	return b
}

const apiVersion = "berth.dev/v1alpha1"

// ReadBaseline reads a baseline from its JSON.
func ReadBaseline(text []byte) (*Baseline, error) {
	b := &Baseline{}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	if b.APIVersion != apiVersion || b.Kind != baselineKind {
		return nil, fmt.Errorf("read baseline: this is %s %s, not %s %s: write it with --write-baseline", b.APIVersion, b.Kind, apiVersion, baselineKind)
	}
	return b, nil
}

// WithoutBaseline takes the findings out that a baseline accepts, each as often as it is listed there.
func (r *Result) WithoutBaseline(b *Baseline) {
	left := map[string]int{}
	for _, entry := range b.Findings {
		left[entry.Fingerprint]++
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		if left[f.Fingerprint] == 0 {
			return false
		}
		left[f.Fingerprint]--
		r.Baseline = append(r.Baseline, f)
		return true
	})
}
