package kubelet

import (
	"math/rand/v2"
	"time"
)

const (
	firstDelay = 20 * time.Millisecond
	lastDelay  = 10 * time.Second
)

// delay is how long to wait after so many sessions in a row that came to nothing with the same kubelet: twice as long each time, and
// between half and all of it, so that the plugins of a node do not all come at once.
func delay(failures int) time.Duration {
	d := lastDelay
	if failures < 10 {
		d = min(lastDelay, firstDelay<<failures)
	}
	return d/2 + rand.N(d/2+1)
}
