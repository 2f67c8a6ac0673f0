package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

// Writer takes the findings of one check, and then its result.
type Writer interface {
	Write(f check.Finding) error
	Flush(r *check.Result) error
}

// Options say how a report is written.
type Options struct {
	// Rules are those that were asked, for formats that describe them.
	Rules []*check.Rule
	// Version is Berth's own, for formats that name the tool.
	Version string
	// Color is for a terminal.
	Color bool
	// Verbose shows notes one by one, and everything that could not be seen.
	Verbose bool
	// Width is the number of columns of the text; 0 is 80.
	Width int
}

// writers makes the writer of each format.
var writers = map[string]func(io.Writer, Options) Writer{
	"text":   newText,
	"json":   newJSON,
	"sarif":  newSARIF,
	"junit":  newJUnit,
	"github": newGitHub,
}

// Formats lists the names of the formats.
func Formats() []string { return []string{"text", "json", "sarif", "junit", "github"} }

// New makes the writer of a format.
func New(format string, w io.Writer, o Options) (Writer, error) {
	make, ok := writers[format]
	if !ok {
		hint := "the formats are " + strings.Join(Formats(), ", ")
		if near := strict.Nearest(format, Formats()); near != "" {
			hint = "did you mean " + near + "?"
		}
		return nil, fmt.Errorf("there is no format %q: %s", format, hint)
	}
	return make(w, o), nil
}

// Print writes a result.
func Print(w Writer, r *check.Result) error {
	for _, f := range r.Findings {
		if err := w.Write(f); err != nil {
			return fmt.Errorf("write report: %w", err)
		}
	}
	if err := w.Flush(r); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// sentence ends a message the way a sentence ends, and begins it with a capital unless it begins with a name.
func sentence(message string) string {
	return strings.TrimRight(message, ".") + "."
}

// message is what is wrong, with the object in front.
func message(f check.Finding) string {
	if f.Object == nil {
		return f.Message
	}
	return f.Object.String() + ": " + f.Message
}

// counted writes a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// totals are the findings by severity, as a person says it.
func totals(r *check.Result) string {
	var parts []string
	for _, s := range []struct {
		severity  finding.Severity
		one, many string
	}{{finding.Error, "error", "errors"}, {finding.Warning, "warning", "warnings"}, {finding.Info, "note", "notes"}} {
		if n := r.Count(s.severity); n > 0 {
			parts = append(parts, counted(n, s.one, s.many))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

// looked says how much was looked at.
func looked(r *check.Result) string {
	kustomizations, objects := 0, 0
	for _, e := range r.Environments {
		kustomizations += e.Kustomizations
		objects += e.Objects
	}
	return fmt.Sprintf("%s, %s, %s", counted(len(r.Environments), "environment", "environments"),
		counted(kustomizations, "Kustomization", "Kustomizations"), counted(objects, "object", "objects"))
}

// kinds are the kinds of what could not be seen, sorted, with their number.
func kinds(unseen []check.Unseen) ([]string, map[string][]check.Unseen) {
	byKind := map[string][]check.Unseen{}
	var names []string
	for _, u := range unseen {
		kind := string(u.Kind)
		if byKind[kind] == nil {
			names = append(names, kind)
		}
		byKind[kind] = append(byKind[kind], u)
	}
	slices.Sort(names)
	return names, byKind
}
