package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/berth-dev/berth/deviceplugin/drm/drmtest"
	"github.com/berth-dev/berth/deviceplugin/kubelet/kubelettest"
)

const patience = 10 * time.Second

// machine is a folder for device plugins with a kubelet, and a tree with one GPU.
type machine struct {
	dir, tree string
	kubelet   *kubelettest.Kubelet
}

func newMachine(b *bench) (*machine, error) {
	dir, err := os.MkdirTemp(b.dir, "m")
	if err != nil {
		return nil, err
	}
	m := &machine{dir: filepath.Join(dir, "p"), tree: filepath.Join(dir, "tree")}
	if err := os.Mkdir(m.dir, 0o750); err != nil {
		return nil, err
	}
	gpu := drmtest.Card{Address: "0000:00:02.0", Vendor: "0x8086", Device: "0x4680", Driver: "i915", NUMA: "-1", Nodes: []string{"card0", "renderD128"}}
	if err := (drmtest.Tree{}).Add(gpu).Write(m.tree); err != nil {
		return nil, err
	}
	m.kubelet, err = kubelettest.Start(m.dir, kubelettest.Takeover)
	return m, err
}

func (m *machine) restart() (err error) {
	m.kubelet.Stop()
	m.kubelet, err = kubelettest.Start(m.dir, kubelettest.Takeover)
	return err
}

// argv is the command line of either program.
func (m *machine) argv(b *bench, binary string, shares int) []string {
	if binary == b.floor {
		return []string{binary, m.dir, strconv.Itoa(shares)}
	}
	return []string{
		binary, "-device-plugin-dir", m.dir, "-prefix", m.tree, "-shared-dev-num", strconv.Itoa(shares), "-listen", "127.0.0.1:0",
	}
}

// wait waits until the kubelet knows of n devices that it may hand out.
func (m *machine) wait(n int) error {
	return m.await(func(s kubelettest.State) bool { return len(s.Allocatable) == n && s.Connected > 0 })
}

func (m *machine) await(ok func(kubelettest.State) bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return m.kubelet.Wait(ctx, resource, ok)
}

// process is a running plugin.
type process struct {
	cmd *exec.Cmd
	log bytes.Buffer
}

func start(argv []string) (*process, error) {
	p := &process{cmd: exec.CommandContext(context.Background(), argv[0], argv[1:]...)}
	p.cmd.Stderr = &p.log
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", argv[0], err)
	}
	return p, nil
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
}

// resident is the memory in MB.
func (p *process) resident() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for _, line := range strings.Split(string(text), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmRSS:" {
			kb, err := strconv.ParseFloat(fields[1], 64)
			return kb * 1024 / 1e6, err
		}
	}
	return 0, fmt.Errorf("no VmRSS of process %d", p.cmd.Process.Pid)
}

// cpu is the time that all threads have run.
func (p *process) cpu() (time.Duration, error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("no schedstat of process %d", p.cmd.Process.Pid)
	}
	var sum time.Duration
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // a thread that ended
		}
		ns, err := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(ns)
	}
	return sum, nil
}
