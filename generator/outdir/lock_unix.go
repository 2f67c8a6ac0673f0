//go:build unix

package outdir

import (
	"fmt"
	"os"
	"syscall"
)

// lock keeps other runs of Berth out of a directory until unlock is called. It leaves no file behind: the lock is on the
// directory itself, and ends with the process.
func lock(root *os.Root) (unlock func(), err error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	return func() { _ = dir.Close() }, nil // closing gives the lock back
}
