package harness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

const (
	stopPatience = 15 * time.Second
	logTail      = 3000
)

// Process is a program that runs in the background.
type Process struct {
	Name string
	Log  string // file with what it printed

	cmd   *exec.Cmd
	guard io.WriteCloser // closed with the test, by whatever ends it
	done  chan struct{}
}

// Start starts a program that ends with the test. Its output goes to a file in dir, the end of which is printed if the test fails.
func Start(t *testing.T, dir, name string, argv ...string) *Process {
	t.Helper()
	p := &Process{Name: name, Log: filepath.Join(dir, name+".log"), done: make(chan struct{})}
	out, err := os.OpenFile(p.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command("/proc/self/exe", argv...)
	p.cmd.Env = append(os.Environ(), guardEnv+"=1")
	if p.guard, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.Dir = dir
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("starting %s: %v", name, err)
	}
	go func() {
		defer close(p.done)
		defer out.Close() //nolint:errcheck // a log
		_ = p.cmd.Wait()
	}()
	t.Cleanup(func() {
		p.Stop()
		if t.Failed() {
			t.Logf("the end of %s:\n%s", p.Log, p.tail())
		}
	})
	return p
}

// Stop asks the process to end, and ends it if it does not.
func (p *Process) Stop() { p.end(syscall.SIGTERM) }

// Kill ends the process at once.
func (p *Process) Kill() { p.end(syscall.SIGKILL) }

func (p *Process) end(signal syscall.Signal) {
	_ = p.cmd.Process.Signal(signal)
	select {
	case <-p.done:
	case <-time.After(stopPatience):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

// Running is nil while the process runs.
func (p *Process) Running() error {
	select {
	case <-p.done:
		return fmt.Errorf("%s ended: %v\n%s", p.Name, p.cmd.ProcessState, p.tail())
	default:
		return nil
	}
}

// Logged counts the lines of the log that contain text.
func (p *Process) Logged(text string) int {
	log, err := os.ReadFile(p.Log)
	if err != nil {
		return 0
	}
	return bytes.Count(log, []byte(text))
}

func (p *Process) tail() []byte {
	text, err := os.ReadFile(p.Log)
	if err != nil {
		return []byte(err.Error())
	}
	if len(text) > logTail {
		text = text[len(text)-logTail:]
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return text
}

// Eventually calls check until it gives nil, and fails the test with its last error after the time within.
func Eventually(t *testing.T, within time.Duration, check func() error) time.Duration {
	t.Helper()
	began := time.Now()
	for {
		err := check()
		if err == nil {
			return time.Since(began)
		}
		var fatal Fatal
		if time.Since(began) > within || errors.As(err, &fatal) {
			t.Fatalf("after %v: %v", time.Since(began).Round(time.Millisecond), err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Fatal is an error that waiting does not mend.
type Fatal struct{ Err error }

func (f Fatal) Error() string { return f.Err.Error() }
