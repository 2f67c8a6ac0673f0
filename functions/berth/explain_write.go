package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/placement"
	"github.com/berth-dev/berth/generator/placement/report"
)

// writer writes a report in the format that was asked for.
type writer func(io.Writer) error

// report decides about both sides, prints what was found wrong, and returns how to write the rest.
func (in *explainInput) report(flags explainFlags) (write writer, failed bool, err error) {
	first, found, err := in.place(in.first, flags.asIs)
	if err != nil {
		return nil, false, err
	}
	failed = in.print(found, flags.quiet)
	if !flags.diffs() {
		write, err = single(first, flags)
		return write, failed, err
	}
	second, found, err := in.place(in.second, flags.asIs)
	if err != nil {
		return nil, false, err
	}
	failed = in.print(found, flags.quiet) || failed
	change := report.Change{Before: first, After: second}
	if flags.output == "json" {
		return change.JSON, failed, nil
	}
	return change.Text, failed, nil
}

// print prints errors, and says whether there are any. What was done and what is merely worth knowing is in the report.
func (in *explainInput) print(found []finding.Finding, quiet bool) bool {
	for _, f := range found {
		if !quiet && f.Severity == finding.Error {
			fmt.Fprintln(in.io.err, f)
		}
	}
	return finding.HasErrors(found)
}

// single is the report on one side.
func single(r *report.Report, flags explainFlags) (writer, error) {
	table, err := chosen(r, flags)
	if err != nil {
		return nil, err
	}
	switch {
	case flags.output == "json":
		return func(out io.Writer) error { return r.JSON(out, table) }, nil
	case flags.output == "html":
		return r.HTML, nil
	case flags.cells():
		return table.Cells, nil
	}
	return r.Text, nil
}

// chosen is the table of the workload and the node that are asked for.
func chosen(r *report.Report, flags explainFlags) (*report.Table, error) {
	table := r.Table(
		func(n *placement.Node) bool { return flags.node == "" || n.Name == flags.node },
		func(w *placement.Workload) bool { return flags.workload == "" || w.Is(flags.workload) })
	if flags.node != "" && len(table.Columns) == 0 {
		var names []string
		for _, n := range r.Then.Nodes {
			names = append(names, n.Name)
		}
		return nil, fmt.Errorf("--node: there is no node %s%s", flags.node, didYouMean(flags.node, names))
	}
	if flags.workload != "" && len(table.Rows) == 0 {
		var names []string
		for _, w := range r.Then.Workloads {
			names = append(names, strings.Join(strings.Fields(w.Object.String()), "/"))
		}
		return nil, fmt.Errorf("--workload: %s holds no workload %s%s", r.Render, flags.workload, didYouMean(flags.workload, names))
	}
	return table, nil
}

func didYouMean(name string, known []string) string {
	if near := strict.Nearest(name, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// writeTo writes to a file, or to standard output. A file is written in one go, once there is nothing left to fail.
func writeTo(file string, io streams, write writer) error {
	if file == "" {
		return write(io.out)
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
