package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const cgroupDir = "/sys/fs/cgroup"

// cgroups is a cgroup of the test's own in every hierarchy, below which the kubelet makes those of the pods. Another kubelet of this
// machine never sees them, nor the other way round.
type cgroups struct {
	name string // below the root of each hierarchy
}

// newCgroups makes the cgroups.
func newCgroups(name string) (*cgroups, error) {
	c := &cgroups{name: name}
	for _, root := range hierarchies() {
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, 0o755); err != nil && !os.IsExist(err) {
			return nil, fmt.Errorf("making a cgroup: %w", err)
		}
		for _, file := range []string{"cpuset.cpus", "cpuset.mems"} { // a cpuset of cgroup v1 begins empty
			if value, err := os.ReadFile(filepath.Join(root, file)); err == nil {
				_ = os.WriteFile(filepath.Join(dir, file), value, 0o644)
			}
		}
	}
	return c, nil
}

// hierarchies gives the roots: one for cgroup v2, one for each controller of v1.
func hierarchies() []string {
	if _, err := os.Stat(filepath.Join(cgroupDir, "cgroup.controllers")); err == nil {
		return []string{cgroupDir}
	}
	entries, _ := os.ReadDir(cgroupDir)
	var roots []string
	for _, e := range entries {
		if e.IsDir() { // the others are links to them
			roots = append(roots, filepath.Join(cgroupDir, e.Name()))
		}
	}
	return roots
}

// remove ends the processes in the cgroups, all of which are the pods', and removes the cgroups.
func (c *cgroups) remove() {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		left := false
		for _, root := range hierarchies() {
			left = c.removeBelow(filepath.Join(root, c.name)) || left
		}
		if !left {
			return
		}
	}
}

// removeBelow reports whether something is left.
func (c *cgroups) removeBelow(dir string) bool {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return false
	}
	for _, e := range entries {
		if e.IsDir() {
			c.removeBelow(filepath.Join(dir, e.Name()))
		}
	}
	procs, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	for _, field := range strings.Fields(string(procs)) {
		if pid, err := strconv.Atoi(field); err == nil && pid > 1 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return syscall.Rmdir(dir) != nil
}
