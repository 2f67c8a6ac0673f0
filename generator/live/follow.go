package live

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Following is how somebody follows a cluster.
type Following struct {
	// Look is called with what the cluster is: at once, and whenever something changed. It returns true to end.
	Look func(*Snapshot) (bool, error)
	// Say is told what a watcher has to know to trust what they see, one sentence at a time: that watching is not allowed,
	// that the server is away, that it is back.
	Say func(string)
	// Every is how often is looked where watching is not allowed.
	Every time.Duration
}

// Follow looks at a cluster until Look has seen enough or ctx ends, whose error it then returns. It watches: a watch
// that breaks is begun where it ended, and where the server no longer knows that place everything is read anew, so
// that a change may be seen late and with others, and is not missed. Without the right to watch it reads again and again.
func (c *Cluster) Follow(ctx context.Context, scope Scope, f Following) error {
	snapshot, err := c.read(ctx, scope)
	if err != nil {
		return err
	}
	if enough, err := f.Look(snapshot); enough || err != nil {
		return err
	}
	err = c.watch(ctx, scope, f)
	var refused *refusal
	if !errors.As(err, &refused) {
		return err
	}
	f.Say(fmt.Sprintf("watching %s is not allowed, so that berth looks every %v; the rule that is missing in a ClusterRole: %s", refused.on.Resource, f.Every, refused.right))
	return c.poll(ctx, scope, f)
}

// poll reads again and again. That the server is away now and then is no reason to end.
func (c *Cluster) poll(ctx context.Context, scope Scope, f Following) error {
	news := &news{say: f.Say}
	good := time.Now()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(f.Every):
		}
		snapshot, err := c.read(ctx, scope)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// A server that has just started may not know its roles yet, and refuses what it allows in a moment.
		if err != nil && !passing(err) && time.Since(good) > c.Retry.Patience {
			return err
		}
		news.of("", err)
		if err != nil {
			continue
		}
		good = time.Now()
		if enough, err := f.Look(snapshot); enough || err != nil {
			return err
		}
	}
}
