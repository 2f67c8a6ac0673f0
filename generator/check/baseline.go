package check

import (
	"bytes"
	"encoding/json"
	"errors"
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

// ReadBaseline reads a baseline from its JSON. Errors name the line, or the entry.
func ReadBaseline(text []byte) (*Baseline, error) {
	b := &Baseline{}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, fmt.Errorf("read baseline: the file is empty: %s", rewrite)
	}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, fmt.Errorf("read baseline:%s %w: %s", lineOf(text, err), err, rewrite)
	}
	switch {
	case b.APIVersion == "" && b.Kind == "":
		return nil, fmt.Errorf("read baseline: it says neither apiVersion: %s nor kind: %s: %s", apiVersion, baselineKind, rewrite)
	case b.APIVersion != apiVersion || b.Kind != baselineKind:
		return nil, fmt.Errorf("read baseline: this is %q of %q, not %s of %s: %s", b.Kind, b.APIVersion, baselineKind, apiVersion, rewrite)
	}
	for i, entry := range b.Findings {
		if entry.Fingerprint == "" {
			return nil, fmt.Errorf("read baseline: findings[%d] has no fingerprint, by which alone a finding is known: %s", i, rewrite)
		}
	}
	return b, nil
}

const rewrite = "write it with berth check --write-baseline"

// lineOf says where a text stops being what is expected.
func lineOf(text []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var offset int64
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	default:
		return ""
	}
	return fmt.Sprintf(" line %d:", bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n"))+1)
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
