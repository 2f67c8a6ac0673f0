package main

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"berth": func() { os.Exit(berth()) }})
}

// TestScripts runs testdata/script/*.txtar: command lines as the documentation shows them, and what they print.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("BERTH_UPDATE") != "",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
	})
}

// berth is the program, with those commands added that the root command does not have yet.
func berth() int {
	io := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	root := newRootCommand(io)
	complete := true
	for _, cmd := range []*cobra.Command{newK3sCommand(io), newSchemaCommand(io)} {
		if !slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == cmd.Name() }) {
			root.AddCommand(cmd)
			complete = false
		}
	}
	if complete {
		return run(os.Args[1:], io)
	}
	root.SetArgs(os.Args[1:])
	err := root.Execute()
	var exit *exitError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &exit):
		return exit.code
	}
	_, _ = io.err.Write([]byte("berth: " + err.Error() + "\n"))
	return exitUsage
}
