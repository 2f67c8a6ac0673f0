package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one fault in a document.
type Problem struct {
	// File as it was given to Decode; empty when the document came from no file.
	File string
	// Line and Column count from 1. Line 0 means that no position is known or that it would mean nothing.
	Line, Column int
	// Path is the field, such as spec.nodes[0].names[1]. Empty for the document as a whole.
	Path string
	// Message says what is wrong and what to do, beginning in lower case.
	Message string
}

// String is the problem on one line: file:line: path: message, without the parts that are not known.
func (p Problem) String() string {
	var b strings.Builder
	switch {
	case p.File != "" && p.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", p.File, p.Line)
	case p.File != "":
		fmt.Fprintf(&b, "%s: ", p.File)
	case p.Line > 0:
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	return b.String() + p.Message
}

// Problems are the faults of one or more documents. As an error it prints one line for each.
type Problems []Problem

// Error prints one line for each problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// Err returns the problems sorted by file and position, or nil when there are none. Those of one position, or of none,
// stay in the order in which they were found.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	sorted := slices.Clone(p)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
		)
	})
	return slices.Compact(sorted)
}
