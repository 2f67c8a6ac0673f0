package kubelet

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/inotify"
)

const (
	pollUnwatched = 250 * time.Millisecond
	pollWatched   = 5 * time.Second
	// streamTimeout is how long the kubelet may take from its answer to the opened stream. It needs a few milliseconds; one that
	// never opens it has lost the registration.
	streamTimeout = 3 * time.Second
	// settled is how long a session must have lasted for the next not to wait.
	settled = 5 * time.Second
)

// Plugin keeps one resource registered.
type Plugin struct {
	Resource string // gpu.intel.com/i915
	Dir      string // the kubelet's folder for device plugins
	Feed     *device.Feed
	Policy   device.Policy
	Watcher  *inotify.Watcher
	Observer Observer
	Log      *slog.Logger

	changes *inotify.Signal // of the folder
}

// Observer is told what happens, for metrics and readiness. Its methods are called from several goroutines.
type Observer interface {
	Registered(resource string, err error)
	Streaming(resource string, open int)
	Allocated(resource string, devices int, err error)
}

// Run serves until ctx ends. No error of the kubelet or of the file system ends it.
func (p *Plugin) Run(ctx context.Context) {
	p.changes = inotify.NewSignal()
	defer p.Watcher.Forget(p.Dir, p.changes)
	names := newNames(p.Dir, p.Resource)
	failures := 0
	for ctx.Err() == nil {
		kubelet := p.waitForKubelet(ctx)
		if ctx.Err() != nil {
			return
		}
		began := time.Now()
		why := p.session(ctx, names, kubelet)
		if ctx.Err() != nil {
			return
		}
		if failures++; time.Since(began) > settled {
			failures = 0
		}
		d := delay(failures)
		p.Log.Warn("registering again", "resource", p.Resource, "because", why, "after", d.Round(time.Millisecond).String())
		if p.pause(ctx, d, kubelet) {
			failures = 0
		}
	}
}

// session runs one session and says why it ended.
func (p *Plugin) session(ctx context.Context, names *names, kubelet fileID) string {
	socket := names.next()
	s, err := p.serve(socket, kubelet)
	if err != nil {
		return err.Error()
	}
	defer s.close()
	err = s.register(ctx, p.Resource, p.Dir)
	p.Observer.Registered(p.Resource, err)
	if err != nil {
		return err.Error()
	}
	list, _ := p.Feed.Current()
	p.Log.Info("registered", "resource", p.Resource, "devices", len(list.Shares), "socket", filepath.Base(socket))
	return p.watch(ctx, s, &siblings{names: names})
}

// watch waits until something about the session is no longer as it should be.
func (p *Plugin) watch(ctx context.Context, s *session, siblings *siblings) string {
	timeout := time.NewTimer(streamTimeout)
	defer timeout.Stop()
	poll := time.NewTicker(p.Watcher.Poll(p.Dir, pollUnwatched, pollWatched))
	defer poll.Stop()
	for {
		changed := p.changed()
		if why := s.broken(p.Dir); why != "" {
			return why
		}
		if siblings.left(time.Now()) {
			return "another instance left, and the kubelet may have dropped us with it"
		}
		select {
		case <-ctx.Done():
			return "stopping"
		case <-s.streams.ended:
			return "the kubelet's stream ended"
		case <-timeout.C:
			select {
			case <-s.streams.started:
			default:
				return "the kubelet opened no stream"
			}
		case <-changed:
		case <-poll.C:
		case <-again(siblings.waiting()):
		}
	}
}

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
		case <-time.After(p.Watcher.Poll(p.Dir, pollUnwatched, pollWatched)):
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

func containsPermission(err error) bool { // gRPC keeps only the text of what its dialer returned
	return strings.Contains(err.Error(), "permission denied")
}
