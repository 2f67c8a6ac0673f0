package harness

import (
	"bytes"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// Running is a berth that goes on until it is interrupted, or has seen what it waits for.
type Running struct {
	cmd         *exec.Cmd
	out, errors output
	done        chan struct{}
}

// output is what a program has printed so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// StartBerth starts the program in the background. It ends with the test.
func (tools Tools) StartBerth(t *testing.T, kubeconfig string, args ...string) *Running {
	t.Helper()
	r := &Running{cmd: exec.Command(tools.Berth, args...), done: make(chan struct{})}
	r.cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.errors
	if err := r.cmd.Start(); err != nil {
		t.Fatalf("running berth: %v", err)
	}
	go func() {
		defer close(r.done)
		_ = r.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = r.cmd.Process.Kill()
		<-r.done
	})
	return r
}

// Out is what it has printed so far.
func (r *Running) Out() string { return r.out.String() }

// Errors is what it has said on standard error so far.
func (r *Running) Errors() string { return r.errors.String() }

// Interrupt is Ctrl-C.
func (r *Running) Interrupt() { _ = r.cmd.Process.Signal(os.Interrupt) }

// Wait returns how it ended, within so long.
func (r *Running) Wait(t *testing.T, within time.Duration) Result {
	t.Helper()
	select {
	case <-r.done:
	case <-time.After(within):
		t.Fatalf("berth does not end:\n%s\n%s", r.Out(), r.Errors())
	}
	return Result{Code: r.cmd.ProcessState.ExitCode(), Out: r.Out(), Errors: r.Errors()}
}
