package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const resource = "gpu.intel.com/i915"

func main() {
	runs := flag.Int("runs", 20, "how often to measure what is over at once")
	idle := flag.Duration("idle", time.Minute, "how long to watch an idle process")
	flag.Parse()
	code, err := measure(*runs, *idle)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		code = 2
	}
	os.Exit(code)
}

func measure(runs int, idle time.Duration) (int, error) {
	dir, err := os.MkdirTemp("", "b") // short, for sockets
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	ours, floor, err := buildBoth(dir)
	if err != nil {
		return 0, err
	}
	var t results
	fmt.Println("| | Berth | floor | ratio or limit | |")
	fmt.Println("| --- | ---: | ---: | ---: | --- |")
	for _, step := range []func(*results, *bench) error{sizes, starts, restarts, changes, allocations, memory} {
		if err := step(&t, &bench{dir: dir, ours: ours, floor: floor, runs: runs, idle: idle}); err != nil {
			return 0, err
		}
	}
	return t.code(), nil
}

// bench is what a measurement works with.
type bench struct {
	dir         string
	ours, floor string // the binaries
	runs        int
	idle        time.Duration
}

// buildBoth builds the two programs in the same way.
func buildBoth(dir string) (ours, floor string, err error) {
	build := func(name, pkg string) string {
		out := filepath.Join(dir, name)
		cmd := exec.CommandContext(context.Background(), "go", "build", "-trimpath", "-tags", "grpcnotrace", "-ldflags", "-s -w", "-o", out, pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		if e := cmd.Run(); e != nil && err == nil {
			err = fmt.Errorf("building %s: %w", pkg, e)
		}
		return out
	}
	return build("ours", "./deviceplugin"), build("floor", "./deviceplugin/bench/floor"), err
}
