package kubelet

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/inotify"
)

const (
	pollUnwatched = 250 * time.Millisecond
	pollWatched   = 30 * time.Second
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
	s, err := p.serve(names.next(), kubelet)
	if err != nil {
		return err.Error()
	}
	defer s.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answer := make(chan error, 1)
	go func() { answer <- s.register(ctx, p.Resource, p.Dir) }()
	return p.watch(ctx, s, answer, &siblings{names: names})
}

// watch waits until something about the session is no longer as it should be, the answer to the registration included. It does not wait
// for the answer first: a kubelet that starts removes our socket, and then tries for ten seconds to call back at what is not there.
func (p *Plugin) watch(ctx context.Context, s *session, answer <-chan error, siblings *siblings) string {
	var timeout <-chan time.Time
	poll := time.NewTicker(p.Watcher.Poll(p.Dir, pollUnwatched, pollWatched))
	defer poll.Stop()
	for {
		changed := p.changed()
		if why := cmp.Or(s.broken(p.Dir), siblings.gone(time.Now())); why != "" {
			return why
		}
		select {
		case <-ctx.Done():
			return "stopping"
		case err := <-answer:
			if why := p.answered(s, err); why != "" {
				return why
			}
			timeout = time.After(streamTimeout)
		case <-s.streams.ended:
			return "the kubelet's stream ended"
		case <-timeout:
			if !s.streams.everOpen() {
				return "the kubelet opened no stream"
			}
		case <-changed:
		case <-poll.C:
		case <-again(siblings.waiting()):
		}
	}
}

// answered takes the kubelet's answer to the registration, and says what is wrong with it.
func (p *Plugin) answered(s *session, err error) string {
	p.Observer.Registered(p.Resource, err)
	if err != nil {
		return err.Error()
	}
	list, _ := p.Feed.Current()
	p.Log.Info("registered", "resource", p.Resource, "devices", len(list.Shares), "socket", filepath.Base(s.socket))
	return ""
}
