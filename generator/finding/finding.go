package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how bad a finding is.
type Severity string

// The severities, worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

func (s Severity) rank() int {
	return slices.Index([]Severity{Error, Warning, Info}, s)
}

// Source is a place in a file.
type Source struct {
	File string `json:"file,omitempty"`
	// Line counts from 1; 0 means that only the file is known.
	Line int `json:"line,omitempty"`
}

// String returns file:line, or the file alone.
func (s Source) String() string {
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// Object names an object of a render.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

// String returns Kind namespace/name.
func (o Object) String() string {
	if o.Namespace == "" {
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// Finding is one thing that is wrong, was done, or is worth knowing.
type Finding struct {
	// Code is stable and in kebab case.
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	// Object is what the finding is about, if it is an object.
	Object *Object `json:"object,omitempty"`
	// Field is a dotted path in the object.
	Field string `json:"field,omitempty"`
	Source
	// Message is one sentence on what is wrong or was done.
	Message string `json:"message"`
	// Action is one sentence on what to do.
	Action string `json:"action,omitempty"`
}

// String returns one line: place, severity, object and field, message, action and code.
func (f Finding) String() string {
	var b strings.Builder
	if place := f.Source.String(); place != "" {
		b.WriteString(place + ": ")
	}
	fmt.Fprintf(&b, "%s: ", f.Severity)
	if f.Object != nil {
		b.WriteString(f.Object.String())
		if f.Field != "" {
			b.WriteString(" " + f.Field)
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Message)
	if f.Action != "" {
		b.WriteString("; " + f.Action)
	}
	fmt.Fprintf(&b, " [%s]", f.Code)
	return b.String()
}

// Sort puts the worst first, then orders by place, code and message.
func Sort(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Severity.rank(), b.Severity.rank()), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
}

// HasErrors says whether one of the findings is an error.
func HasErrors(all []Finding) bool {
	return slices.ContainsFunc(all, func(f Finding) bool { return f.Severity == Error })
}
