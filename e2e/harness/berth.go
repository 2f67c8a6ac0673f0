package harness

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Result is what a run of berth printed and how it ended.
type Result struct {
	Code        int
	Out, Errors string
}

// RunBerth runs the program against a cluster, by way of a kubeconfig.
func (tools Tools) RunBerth(t *testing.T, kubeconfig string, in []byte, args ...string) Result {
	t.Helper()
	return tools.RunBerthIn(t, "", kubeconfig, in, args...)
}

// RunBerthIn is RunBerth in a folder.
func (tools Tools) RunBerthIn(t *testing.T, dir, kubeconfig string, in []byte, args ...string) Result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tools.Berth, args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("running berth: %v", err)
	}
	return Result{Code: cmd.ProcessState.ExitCode(), Out: out.String(), Errors: errs.String()}
}

// WriteFile writes a file into a new folder of the test.
func WriteFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
