package main

import (
	"fmt"
	"time"
)

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
