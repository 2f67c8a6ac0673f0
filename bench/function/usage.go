package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// usage is what one process used: seconds, seconds and MiB.
type usage struct{ wall, cpu, peak float64 }

// series collects the runs of one program.
type series struct {
	name            string
	wall, cpu, peak []float64
}

func (s *series) add(u usage) {
	s.wall, s.cpu, s.peak = append(s.wall, u.wall), append(s.cpu, u.cpu), append(s.peak, u.peak)
}

func (s *series) median() usage { return usage{median(s.wall), median(s.cpu), median(s.peak)} }

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// execute runs a program with a file on its standard input and throws its output away.
func execute(program, input string) (usage, error) {
	in, err := os.Open(input)
	if err != nil {
		return usage{}, err
	}
	defer in.Close() //nolint:errcheck // it was only read
	var stderr bytes.Buffer
	cmd := exec.Command(program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, io.Discard, &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%w: %s", err, stderr.String())
	}
	u := usage{wall: time.Since(start).Seconds()}
	u.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.peak = float64(r.Maxrss) / 1024 // Linux counts KiB
	}
	return u, nil
}
