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
	"github.com/berth-dev/berth/deviceplugin/drm"
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

// sayDevices tells metrics the numbers, and logs the group of each render node once.
func (l *loop) sayDevices() {
	for _, e := range l.inventory.Entries() {
		list, _ := e.Feed.Current()
		healthy, unhealthy := list.Health()
		l.metrics.Offered(e.Name, healthy, unhealthy)
		for _, d := range e.Devices {
			for _, p := range d.Grant.HostPaths() {
				l.sayGroup(p)
			}
		}
	}
}

func (l *loop) sayGroup(node string) {
	gid, ok := drm.RenderGroup(l.fsys, node)
	if said, before := l.groups[node]; !ok || before && said == gid {
		return
	}
	l.groups[node] = gid
	l.log.Info("a pod that does not run as root needs this group in supplementalGroups", "node", node, "gid", gid)
}

// sayError logs an error when it is new, and its end.
func (l *loop) sayError(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	switch text {
	case l.lastErr:
	case "":
		l.log.Info("everything can be read again")
	default:
		l.log.Error("not everything could be read; devices that were known stay as they are", "error", text)
	}
	l.lastErr = text
}

// sayNothing explains a node without devices, once.
func (l *loop) sayNothing(result discover.Result) {
	text := ""
	if len(l.inventory.Entries()) == 0 {
		text = nothing(l.cfg, result, l.fsys)
	}
	if text != "" && text != l.emptyWas {
		l.log.Warn(text)
	}
	l.emptyWas = text
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
