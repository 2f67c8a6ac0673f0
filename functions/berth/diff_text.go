package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/live"
)

// nameWidth is the first column of the table of a node's layers; a longer taint gets a line of its own.
const nameWidth = 40

// writeDiffText prints a diff for people, in lines of at most reportWidth where no name is longer.
func writeDiffText(out io.Writer, diff *live.Diff) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, intent %s\n", diff.Server, strings.Join(diff.Intents, ", "))
	for _, node := range diff.Nodes {
		fmt.Fprintf(&b, "\n%s\n", nodeTitle(node))
		writeLayers(&b, node)
	}
	if len(diff.Findings) > 0 {
		fmt.Fprintln(&b)
	}
	writeFindings(&b, diff.Findings)
	fmt.Fprintf(&b, "\n%s\n", diffSummary(diff))
	_, err := io.WriteString(out, b.String())
	return err
}

func nodeTitle(node live.NodeDiff) string {
	switch {
	case !node.InCluster:
		return node.Name + ": not in the cluster"
	case !node.InIntent:
		return node.Name + ": in no intent, " + readiness(node)
	}
	return node.Name + ": " + readiness(node)
}

func readiness(node live.NodeDiff) string {
	text := "ready"
	if node.Ready != "True" {
		text = "not ready"
	}
	if node.Cordoned {
		text += ", cordoned"
	}
	return text
}

func writeLayers(b *strings.Builder, node live.NodeDiff) {
	if len(node.Taints)+len(node.Labels) == 0 && !node.Cordoned {
		fmt.Fprintln(b, "  no taints")
		return
	}
	writeRow(b, "", "INTENT", "NODE-ARGS", "LIVE", "")
	for _, row := range node.Taints {
		writeRow(b, row.Taint, mark(row.Intent), mark(row.NodeArgs), mark(row.Live), note(row))
	}
	for _, row := range node.Labels {
		writeRow(b, "label "+row.Label, mark(row.Intent), mark(row.NodeArgs), mark(row.Live), note(row))
	}
	if node.Cordoned {
		writeRow(b, "cordon (spec.unschedulable)", "-", "-", "yes", "does not last")
	}
}

func writeRow(b *strings.Builder, name, intent, args, now, note string) {
	if len(name) > nameWidth {
		fmt.Fprintf(b, "  %s\n", name)
		name = ""
	}
	line := fmt.Sprintf("  %-*s %-8s%-10s%-8s%s", nameWidth, name, intent, args, now, note)
	fmt.Fprintln(b, strings.TrimRight(line, " "))
}

// note says whose it is.
func note(row live.Row) string {
	switch {
	case len(row.Owners) > 0:
		return "of " + strings.Join(row.Owners, ", ")
	case row.Controller != "":
		return "controller"
	case row.Intent == live.No && row.Live == live.Yes:
		return "other"
	}
	return ""
}

func mark(m live.Mark) string {
	switch m {
	case live.No:
		return "-"
	case live.Unseen:
		return "?"
	default:
		return string(m)
	}
}

// writeFindings prints each finding with its sentences below it.
func writeFindings(b *strings.Builder, found []finding.Finding) {
	for _, f := range found {
		title := cmp.Or(objectText(f.Object), f.Source.String(), "cluster")
		fmt.Fprintf(b, "  %s: %s [%s]\n", f.Severity, title, f.Code)
		wrap(b, f.Message)
		if f.Action != "" {
			wrap(b, "-> "+f.Action)
		}
	}
}

func objectText(o *finding.Object) string {
	if o == nil {
		return ""
	}
	return o.String()
}

func diffSummary(diff *live.Diff) string {
	var drift, warnings int
	for _, f := range diff.Findings {
		switch f.Severity {
		case finding.Error:
			drift++
		case finding.Warning:
			warnings++
		}
	}
	switch {
	case drift > 0:
		return fmt.Sprintf("drift: %d, warnings: %d", drift, warnings)
	case warnings > 0:
		return fmt.Sprintf("no drift, warnings: %d", warnings)
	}
	return "no drift"
}
