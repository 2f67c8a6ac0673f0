package kubelet

import (
	"context"
	"path/filepath"
	"time"
)

// changed gives a channel that is closed when something in the folder changes from now on.
func (p *Plugin) changed() <-chan struct{} {
	p.Watcher.Watch(p.Dir, p.changes)
	return p.changes.Next()
}

// again fires after a while if there is something to look at again, and never if there is not.
func again(waiting bool) <-chan time.Time {
	if !waiting {
		return nil
	}
	return time.After(absence)
}

// waitForKubelet waits until there is a kubelet.sock.
func (p *Plugin) waitForKubelet(ctx context.Context) fileID {
	said := false
	for {
		changed := p.changed()
		if id := identify(filepath.Join(p.Dir, kubeletSocket)); id.exists || ctx.Err() != nil {
			return id
		}
		if !said {
			p.Log.Info("waiting for the kubelet", "resource", p.Resource, "socket", filepath.Join(p.Dir, kubeletSocket))
			said = true
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-time.After(pollUnwatched):
		}
	}
}

// pause waits for d, or until there is another kubelet.sock, which it reports: a new kubelet knows nothing of old failures. It takes a
// moment even then, so that a file that changes all the time does not keep us busy.
func (p *Plugin) pause(ctx context.Context, d time.Duration, kubelet fileID) bool {
	time.Sleep(firstDelay / 2)
	over := time.NewTimer(d)
	defer over.Stop()
	poll := time.NewTicker(pollUnwatched)
	defer poll.Stop()
	for {
		changed := p.changed()
		if now := identify(filepath.Join(p.Dir, kubeletSocket)); now.exists && now != kubelet {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-over.C:
			return false
		case <-changed:
		case <-poll.C:
		}
	}
}
