package main

import (
	"errors"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
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

// berth is the program, with `berth k3s` added while the root command does not have it.
func berth() int {
	io := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	root := newRootCommand(io)
	if found, _, err := root.Find([]string{"k3s"}); err == nil && found != root {
		return run(os.Args[1:], io)
	}
	root.AddCommand(newK3sCommand(io))
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
