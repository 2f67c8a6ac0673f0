package report

import (
	"encoding/json"
	"io"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

// Report is what -o json prints. Fields are added, and never change their meaning, within one apiVersion.
type Report struct {
	// APIVersion is berth.dev/v1alpha1.
	APIVersion string `json:"apiVersion"`
	// Kind is CheckReport.
	Kind    string  `json:"kind"`
	Summary Summary `json:"summary"`
	*check.Result
}

// Summary holds the counts of the last line.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	Unseen   int `json:"unseen"`
	Ignored  int `json:"ignored"`
	Baseline int `json:"baseline"`
}

// The identity of a Report.
const (
	ReportVersion = "berth.dev/v1alpha1"
	ReportKind    = "CheckReport"
)

type jsonWriter struct{ out io.Writer }

func newJSON(w io.Writer, _ Options) Writer { return &jsonWriter{w} }

// Write implements Writer. The result holds the finding too.
func (j *jsonWriter) Write(check.Finding) error { return nil }

// Flush implements Writer.
func (j *jsonWriter) Flush(r *check.Result) error {
	copied := *r
	if copied.Findings == nil {
		copied.Findings = []check.Finding{}
	}
	report := Report{
		APIVersion: ReportVersion, Kind: ReportKind, Result: &copied,
		Summary: Summary{
			Errors: r.Count(finding.Error), Warnings: r.Count(finding.Warning), Notes: r.Count(finding.Info),
			Unseen: len(r.Unseen), Ignored: len(r.Ignored), Baseline: len(r.Baseline),
		},
	}
	encoder := json.NewEncoder(j.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
