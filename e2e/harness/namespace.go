package harness

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

const holdEnv = "BERTH_E2E_HOLD"

// Main runs the tests, or, in a process that guards a program or holds a namespace, does that. TestMain calls it.
func Main(m *testing.M) {
	if os.Getenv(guardEnv) != "" {
		_ = os.Unsetenv(guardEnv)
		os.Exit(guard(os.Args[1:]))
	}
	if dir := os.Getenv(holdEnv); dir != "" {
		if err := hold(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// namespace is a mount namespace in which the node's folders are not the machine's.
type namespace struct {
	pid int
}

// newNamespace starts the process that holds a namespace. It ends when its standard input does, and so with the test, however that ends.
func newNamespace(t *testing.T, dir string) (*namespace, error) {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), holdEnv+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("making a mount namespace: %w", err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		return nil, fmt.Errorf("making a mount namespace: %s", line)
	}
	return &namespace{pid: cmd.Process.Pid}, nil
}

func missingFolders(names ...string) []string {
	var missing []string
	for _, name := range names {
		if _, err := os.Stat(name); os.IsNotExist(err) {
			missing = append(missing, name)
		}
	}
	return missing
}

// hold lays the node's folders over the machine's, says so, and waits. The device plugin socket has a fixed place below /var/lib/kubelet,
// and the kubelet and the plugins of the pods' network write kernel settings that the machine should keep.
func hold(dir string) error {
	binds := map[string]string{filepath.Join(dir, "kubelet"): "/var/lib/kubelet"}
	for _, name := range []string{"kernel/panic", "kernel/panic_on_oops", "vm/overcommit_memory", "net/ipv4/ip_forward"} {
		value, err := os.ReadFile(filepath.Join("/proc/sys", name))
		if err != nil {
			return fmt.Errorf("reading a kernel setting: %w", err)
		}
		file := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(file, value, 0o600); err != nil {
			return fmt.Errorf("copying a kernel setting: %w", err)
		}
		binds[file] = filepath.Join("/proc/sys", name)
	}
	made := missingFolders("/var/lib/kubelet", "/dev/dri")
	for _, folder := range []string{filepath.Join(dir, "kubelet"), "/var/lib/kubelet", "/dev/dri"} {
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return fmt.Errorf("making a folder: %w", err)
		}
	}
	for from, to := range binds {
		if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mounting %s: %w", to, err)
		}
	}
	if err := unix.Mount("tmpfs", "/dev/dri", "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("mounting /dev/dri: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_SHARED|unix.MS_REC, ""); err != nil { // the kubelet's mounts must reach the containers
		return fmt.Errorf("sharing mounts: %w", err)
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	killShims(containerdSocket(dir))
	(&cgroups{name: cgroupOf(dir)}).remove()
	for _, folder := range made { // were not there before
		_ = unix.Unmount(folder, unix.MNT_DETACH)
		_ = os.Remove(folder)
	}
	return nil
}

// enter is the beginning of a command line that runs in the namespace.
func (n *namespace) enter(argv ...string) []string {
	return append([]string{"nsenter", "--mount=/proc/" + strconv.Itoa(n.pid) + "/ns/mnt", "--"}, argv...)
}

// path is where a file of the namespace is seen from outside.
func (n *namespace) path(name string) string {
	return filepath.Join("/proc", strconv.Itoa(n.pid), "root", name)
}
