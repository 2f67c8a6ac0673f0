package harness

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
)

const guardEnv = "BERTH_E2E_GUARD"

// guard runs a program and ends it when the test is gone, however that ended: the test holds the other end of standard input. The kernel
// ends the program if the guard itself is killed.
func guard(argv []string) int {
	runtime.LockOSThread() // the kernel means the thread that started the program, not the process
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		_, _ = io.WriteString(os.Stderr, err.Error()+"\n")
		return 1
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = cmd.Process.Kill()
	}()
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}
