package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/berth-dev/berth/deviceplugin/kubelet/kubelettest"
)

func sizes(r *results, b *bench) error {
	size := func(file string) float64 {
		info, err := os.Stat(file)
		if err != nil {
			return 0
		}
		return float64(info.Size()) / 1e6
	}
	r.atMost("binary", size(b.ours), fmt.Sprintf("%.2f MB", size(b.floor)), "MB", 12)
	return nil
}

// starts measures from the start of the process to the registration, in turns.
func starts(r *results, b *bench) error {
	times := map[string][]time.Duration{}
	for range b.runs {
		for _, binary := range []string{b.ours, b.floor} {
			took, err := startOnce(b, binary)
			if err != nil {
				return err
			}
			times[binary] = append(times[binary], took)
		}
	}
	r.ratio("start to Register, median", ms(median(times[b.ours])), ms(median(times[b.floor])), "ms", 1.5)
	return nil
}

func startOnce(b *bench, binary string) (time.Duration, error) {
	m, err := newMachine(b)
	if err != nil {
		return 0, err
	}
	defer m.kubelet.Stop()
	registered := make(chan time.Time, 10)
	m.kubelet.OnRegister(func() { registered <- time.Now() })
	began := time.Now()
	p, err := start(m.argv(b, binary, 1))
	if err != nil {
		return 0, err
	}
	defer p.stop()
	select {
	case at := <-registered:
		return at.Sub(began), nil
	case <-time.After(patience):
		return 0, fmt.Errorf("%s did not register: %s", binary, p.log.String())
	}
}

// restarts measures from the start of a new kubelet to the list.
func restarts(r *results, b *bench) error {
	m, p, err := running(b, b.ours, 1)
	if err != nil {
		return err
	}
	defer p.stop()
	defer func() { m.kubelet.Stop() }()
	times := make([]time.Duration, 0, b.runs)
	for range b.runs {
		began := time.Now()
		if err := m.restart(); err != nil {
			return err
		}
		if err := m.wait(1); err != nil {
			return fmt.Errorf("%w\n%s", err, p.log.String())
		}
		times = append(times, time.Since(began))
	}
	r.atMost("kubelet restart to listed again, median", ms(median(times)), "", "ms", 1000)
	r.atMost("kubelet restart to listed again, slowest", ms(quantile(times, 1)), "", "ms", 1000)
	return nil
}

// changes restarts the kubelet, and takes a device node away or brings it back after each restart.
func changes(r *results, b *bench) error {
	m, p, err := running(b, b.ours, 1)
	if err != nil {
		return err
	}
	defer p.stop()
	defer func() { m.kubelet.Stop() }()
	node := filepath.Join(m.tree, "dev/dri/renderD128")
	delivered := 0
	times := make([]time.Duration, 0, 100)
	for k := range 100 {
		if err := m.restart(); err != nil {
			return err
		}
		if err := m.await(func(s kubelettest.State) bool { return len(s.Capacity) == 1 && s.Connected > 0 }); err != nil {
			return err
		}
		from, to, want := node, node+".away", 0
		if k%2 == 1 {
			from, to, want = to, from, 1
		}
		began := time.Now()
		if err := os.Rename(from, to); err != nil {
			return err
		}
		if err := m.wait(want); err == nil && time.Since(began) < time.Second {
			delivered++
			times = append(times, time.Since(began))
		}
	}
	r.row("changes after a restart delivered within 1 s", fmt.Sprintf("%d of 100", delivered), "", "100 of 100", delivered == 100)
	r.atMost("change of a device to the kubelet, median", ms(median(times)), "", "ms", 1000)
	return nil
}

// running starts a machine and a program on it, and waits for the list.
func running(b *bench, binary string, shares int) (*machine, *process, error) {
	m, err := newMachine(b)
	if err != nil {
		return nil, nil, err
	}
	p, err := start(m.argv(b, binary, shares))
	if err != nil {
		return nil, nil, err
	}
	if err := m.wait(shares); err != nil {
		p.stop()
		return nil, nil, fmt.Errorf("%w\n%s", err, p.log.String())
	}
	return m, p, nil
}
