package live

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// Retry says how long a write is tried again when somebody else changed the node meanwhile, or the server is away.
type Retry struct {
	// First is the pause before the second try; each further one is twice as long, up to Longest. A random part of up to
	// half of it is taken away, so that two who collide do not do so again.
	First, Longest time.Duration
	// Patience is how long it goes on after the first failure.
	Patience time.Duration
}

// DefaultRetry outlasts the restart of an API server.
var DefaultRetry = Retry{First: 5 * time.Millisecond, Longest: time.Second, Patience: 90 * time.Second}

// DefaultRewatch brings a watch back soon, and does not beat a server that is away.
var DefaultRewatch = Retry{First: 250 * time.Millisecond, Longest: 5 * time.Second}

// do calls try until it succeeds, fails for good, or patience ends.
func (r Retry) do(ctx context.Context, again func(error) bool, try func(context.Context) error) error {
	pause := r.First
	var until time.Time
	for tries := 1; ; tries++ {
		err := try(ctx)
		if err == nil || !again(err) {
			return err
		}
		if until.IsZero() {
			until = time.Now().Add(r.Patience)
		}
		if time.Now().Add(pause).After(until) {
			return fmt.Errorf("gave up after %d tries: %w", tries, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause - rand.N(pause/2+1)): //nolint:gosec // spreads writers, keeps no secret
		}
		pause = min(2*pause, r.Longest)
	}
}
