package main

import (
	"context"
	"fmt"
	"time"

	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

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
