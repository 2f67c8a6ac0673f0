package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"

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

// allocations measures calls of Allocate by a client in this process.
func allocations(r *results, b *bench) error {
	for _, n := range []int{1, 50} {
		var medians, p99 [2]float64
		for i, binary := range []string{b.ours, b.floor} {
			times, err := allocate(b, binary, n)
			if err != nil {
				return err
			}
			medians[i], p99[i] = ms(median(times)), ms(quantile(times, 0.99))
		}
		r.atMost(fmt.Sprintf("Allocate %d of 1,000, median", n), medians[0], fmt.Sprintf("%.3f ms", medians[1]), "ms", 0.2)
		r.row(fmt.Sprintf("Allocate %d of 1,000, p99", n), fmt.Sprintf("%.3f ms", p99[0]), fmt.Sprintf("%.3f ms", p99[1]), "", true)
	}
	return nil
}

func allocate(b *bench, binary string, n int) ([]time.Duration, error) {
	m, p, err := running(b, binary, 1000)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	defer m.kubelet.Stop()
	plugin, err := m.kubelet.Plugin(resource)
	if err != nil {
		return nil, err
	}
	ids := m.kubelet.State(resource).Allocatable[:n]
	request := &api.AllocateRequest{ContainerRequests: []*api.ContainerAllocateRequest{{DevicesIds: ids}}}
	times := make([]time.Duration, 0, 100*b.runs)
	for range 100 * b.runs {
		began := time.Now()
		if _, err := plugin.Allocate(context.Background(), request); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	return times, nil
}

// memory watches both programs while nothing happens.
func memory(r *results, b *bench) error {
	for _, shares := range []int{1, 1000} {
		var mb [2]float64
		var spent [2]time.Duration
		for i, binary := range []string{b.ours, b.floor} {
			var err error
			if mb[i], spent[i], err = watch(b, binary, shares); err != nil {
				return err
			}
		}
		r.ratio(fmt.Sprintf("resident, %d shares", shares), mb[0], mb[1], "MB", 1.25)
		r.atMost(fmt.Sprintf("CPU in a minute of idling, %d shares", shares), ms(spent[0])*float64(time.Minute)/float64(b.idle),
			fmt.Sprintf("%.2f ms", ms(spent[1])*float64(time.Minute)/float64(b.idle)), "ms", 10)
	}
	return nil
}

func watch(b *bench, binary string, shares int) (mb float64, spent time.Duration, err error) {
	m, p, err := running(b, binary, shares)
	if err != nil {
		return 0, 0, err
	}
	defer p.stop()
	defer m.kubelet.Stop()
	time.Sleep(2 * time.Second) // the start is not idling
	before, err := p.cpu()
	if err != nil {
		return 0, 0, err
	}
	time.Sleep(b.idle)
	after, err := p.cpu()
	if err != nil {
		return 0, 0, err
	}
	mb, err = p.resident()
	return mb, after - before, err
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
