package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// The exit codes of every command.
const (
	exitClean    = 0
	exitFindings = 1
	exitUsage    = 2
)

// streams are the three streams of a process, so that a command can be run in a test.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// exitError ends the process with a code. A nil err means that what there was to say has been said.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func main() {
	os.Exit(run(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// run executes one command line and returns its exit code.
func run(args []string, io streams) int {
	root := newRootCommand(io)
	root.SetArgs(append([]string{}, args...)) // nil would make cobra look at the process's own arguments
	err := root.Execute()
	if err == nil {
		return exitClean
	}
	code := exitUsage
	var exit *exitError
	if errors.As(err, &exit) {
		code = exit.code
		err = exit.err
	}
	if err != nil {
		fmt.Fprintf(io.err, "berth: %v\n", err)
	}
	return code
}

func newRootCommand(io streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "berth",
		Short: "Decide which workload may dock at which Kubernetes node, from files in Git",
		Long: `Decide which workload may dock at which Kubernetes node, from files in Git.

Started by kustomize or kpt, with a ResourceList on standard input and no arguments, berth is a KRM
function: list a TaintIntent under transformers: in a kustomization, or as configPath in a Kptfile.`,
		Version:       buildVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if isTerminal(io.in) {
				return cmd.Help()
			}
			return runFunction(io)
		},
	}
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	root.AddCommand(
		newApplyCommand(io),
		newBuildCommand(io),
		newCheckCommand(io),
		newConfirmCommand(io),
		newDiffCommand(io),
		newExplainCommand(io),
		newGenerateCommand(io),
		newGraphCommand(io),
		newInitCommand(io),
		newK3sCommand(io),
		newRenderCommand(io),
		newSchemaCommand(io),
		newVendorCommand(io),
	)
	return root
}

// isTerminal says whether a person sits at the other end: the function must not wait for a ResourceList then.
func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
