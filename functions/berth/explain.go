package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/render"
)

// explainFlags are the flags of `berth explain`.
type explainFlags struct {
	intents     []string
	nodes       string
	live        bool
	cluster     clusterFlags
	workload    string
	node        string
	diff        string
	diffIntents []string
	asIs        bool
	output      string
	file        string
	quiet       bool
}

func newExplainCommand(io streams) *cobra.Command {
	var flags explainFlags
	cmd := &cobra.Command{
		Use:   "explain --intent INTENT RENDER",
		Short: "Print which workload may run on which node, and why",
		Long: `Print a matrix of the workloads of RENDER and the nodes of the intents: whether a new pod may start
there, and what happens to one that runs there.

RENDER is a kustomization directory, a file with a YAML stream, or - for standard input. Shown is the
render once the edits that the intents ask for are made; where that differs from the render as it
stands the cell says both, as no>yes. With --as-is no edit is made.

An intent knows a node's name, its taints and little else. What depends on other labels, or on what
a node offers, is answered with ?; --nodes gives the nodes as "kubectl get nodes -o yaml" prints them,
and --live reads them from a running cluster, which takes the right to list nodes.

With --diff or --diff-intent only the cells are printed that another render, or other intents, move.

Exit status: 0 when every workload could be read and every entry of the intents carried out, 1 when
not (the report is printed all the same), 2 when something could not be read or written.`,
		Example: `  berth explain --intent taints.yaml apps
  berth explain --intent taints.yaml apps --workload DaemonSet/observability/node-exporter --node kai-desktop-tower
  berth explain --intent taints.yaml apps --live --context home
  berth explain --intent taints.yaml apps --diff-intent taints-new.yaml
  berth explain --intent taints.yaml apps -o html --file placement.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runExplain(args[0], flags, io) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&flags.intents, "intent", nil, "a file with TaintIntents; repeatable")
	f.StringVar(&flags.nodes, "nodes", "", "a file with Node objects, as kubectl get nodes -o yaml prints them")
	f.BoolVar(&flags.live, "live", false, "read the Node objects from a running cluster")
	flags.cluster.add(f)
	f.StringVar(&flags.workload, "workload", "", "print the reasons for this workload: Kind/namespace/name or Kind/name")
	f.StringVar(&flags.node, "node", "", "print the reasons for this node")
	f.StringVar(&flags.diff, "diff", "", "print what moves when this render takes the place of RENDER")
	f.StringArrayVar(&flags.diffIntents, "diff-intent", nil, "print what moves when this intent takes the place of those of --intent; repeatable")
	f.BoolVar(&flags.asIs, "as-is", false, "show the render as it stands, without the intents' edits")
	f.StringVarP(&flags.output, "output", "o", "text", "text, json or html")
	f.StringVar(&flags.file, "file", "", "write to this file instead of standard output")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "do not print what was found wrong, only the report")
	return cmd
}

// diffs says whether two sides are to be compared.
func (f explainFlags) diffs() bool { return f.diff != "" || len(f.diffIntents) > 0 }

// cells says whether reasons are to be printed instead of the matrix.
func (f explainFlags) cells() bool { return f.workload != "" || f.node != "" }

func (f explainFlags) validate(source string) error {
	switch {
	case !slices.Contains([]string{"text", "json", "html"}, f.output):
		return fmt.Errorf("--output: %q is none of text, json and html", f.output)
	case len(f.intents) == 0 && f.nodes == "" && !f.live:
		return errors.New("no nodes to explain: name a file with --intent or --nodes, or read a cluster's with --live")
	case f.nodes != "" && f.live:
		return errors.New("--nodes and --live both say which nodes there are: leave one out")
	case !f.live && f.cluster != clusterFlags{timeout: f.cluster.timeout}:
		return errors.New("--kubeconfig, --context and --as are for --live")
	}
	if once := []string{source, f.diff, f.nodes}; len(slices.DeleteFunc(once, func(s string) bool { return s != render.Stdin })) > 1 {
		return errors.New("standard input can be read once only: name files for the rest")
	}
	return f.validateShape()
}

// validateShape says which of the reports do not go together.
func (f explainFlags) validateShape() error {
	switch {
	case f.diffs() && f.cells():
		return errors.New("--diff prints the cells that move: it does not go with --workload and --node")
	case f.output == "html" && (f.diffs() || f.cells()):
		return errors.New("-o html shows the whole matrix: it does not go with --diff, --diff-intent, --workload and --node")
	case len(f.diffIntents) > 0 && len(f.intents) == 0:
		return errors.New("--diff-intent takes the place of --intent, which is missing")
	}
	return nil
}

func runExplain(source string, flags explainFlags, io streams) error {
	if err := flags.validate(source); err != nil {
		return err
	}
	in, err := readExplain(source, flags, io)
	if err != nil {
		return err
	}
	write, failed, err := in.report(flags)
	if err != nil {
		return err
	}
	if err := writeTo(flags.file, io, write); err != nil {
		return err
	}
	if failed {
		return &exitError{code: exitFindings}
	}
	return nil
}
