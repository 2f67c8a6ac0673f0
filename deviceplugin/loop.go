package main

import (
	"context"
	"io/fs"
	"log/slog"
	"path"
	"path/filepath"
	"time"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/discover"
	"github.com/berth-dev/berth/deviceplugin/inotify"
	"github.com/berth-dev/berth/deviceplugin/inventory"
	"github.com/berth-dev/berth/deviceplugin/metrics"
)

// calm is the least time between two scans: udev makes and removes nodes in bursts.
const calm = 50 * time.Millisecond

// unwatched is the most time between two scans where inotify does not say when a node vanishes.
const unwatched = 2 * time.Second

// loop looks at the devices again and again, and starts to serve each resource that turns up.
type loop struct {
	cfg       config.Config
	fsys      fs.FS
	watcher   *inotify.Watcher
	inventory *inventory.Inventory
	metrics   *metrics.Metrics
	changes   *inotify.Signal // of the folders with devices
	log       *slog.Logger
	start     func(*inventory.Entry)

	groups   map[string]uint32 // of render nodes, as logged
	lastErr  string
	emptyWas string
}

func (l *loop) run(ctx context.Context) {
	for ctx.Err() == nil {
		l.watch()
		changed := l.changes.Next() // before the look, so that what changes after it is seen
		l.scan()
		sleep(ctx, calm)
		select {
		case <-ctx.Done():
		case <-changed:
		case <-time.After(l.watcher.Poll(l.root("/dev"), min(unwatched, l.cfg.ScanInterval), l.cfg.ScanInterval)):
		}
	}
}

func (l *loop) scan() {
	began := time.Now()
	result := discover.Scan(l.fsys, l.cfg.Resources)
	l.metrics.Scanned(time.Since(began), time.Now(), result.Err)
	l.sayError(result.Err)
	added, changed := l.inventory.Update(result)
	if changed {
		l.sayDevices()
	}
	for _, e := range added {
		l.start(e)
	}
	l.sayNothing(result)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// watch asks to be woken up when a device appears or vanishes.
func (l *loop) watch() {
	folders := map[string]bool{"/dev": true, "/dev/dri": true}
	for _, e := range l.inventory.Entries() {
		for _, d := range e.Devices {
			for _, p := range d.Grant.HostPaths() {
				folders[path.Dir(p)] = true
			}
		}
	}
	for folder := range folders {
		l.watcher.Watch(l.root(folder), l.changes)
	}
}

// root is where a folder of the node is.
func (l *loop) root(folder string) string { return filepath.Join(root(l.cfg), folder) }
