package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/k3s"
)

// reportWidth is the width of a terminal that everyone has.
const reportWidth = 80

// writeK3sText prints reports for people. A taint and its place each get a line, since paths are long.
func writeK3sText(out io.Writer, reports []*k3s.Report) error {
	var b strings.Builder
	for i, r := range reports {
		if i > 0 {
			b.WriteString("\n")
		}
		writeK3sReport(&b, r)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func writeK3sReport(b *strings.Builder, r *k3s.Report) {
	fmt.Fprintln(b, k3sTitle(r))
	if r.StartedBy != "" {
		fmt.Fprintf(b, "started by %s\n", r.StartedBy)
	}
	if len(r.Files) == 0 {
		fmt.Fprintln(b, "no configuration files")
	}
	for _, file := range r.Files {
		fmt.Fprintf(b, "read %s\n", file)
	}
	if len(r.Taints) > 0 {
		fmt.Fprintln(b)
	}
	for _, t := range r.Taints {
		fmt.Fprintf(b, "  %s\n      %s\n", t.Taint, t.Source)
	}
	if len(r.Findings) > 0 {
		fmt.Fprintln(b)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(b, "  %s: %s [%s]\n", f.Severity, f.Source, f.Code)
		wrap(b, f.Message)
		if f.Action != "" {
			wrap(b, f.Action)
		}
	}
}

// k3sTitle says in one line what came out.
func k3sTitle(r *k3s.Report) string {
	var subject string
	if r.Node != "" {
		subject = r.Node + ": "
	}
	subject += strings.TrimSpace(string(r.Distribution) + " " + string(r.Role))
	taints := fmt.Sprintf("%d taints", len(r.Taints))
	switch {
	case len(r.Taints) == 0:
		taints = "no taints"
	case len(r.Taints) == 1:
		taints = "1 taint"
	}
	if !r.Starts {
		return subject + " would not start; it is asked for " + taints
	}
	return subject + " registers the node with " + taints
}

// wrap writes a sentence in indented lines of at most reportWidth. A word that is longer keeps a line of its own.
func wrap(b *strings.Builder, sentence string) {
	const indent = "      "
	line := indent
	for _, word := range strings.Fields(sentence) {
		if line != indent && len(line)+1+len(word) > reportWidth {
			fmt.Fprintln(b, line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(b, line)
}
