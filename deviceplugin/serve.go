package main

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/berth-dev/berth/deviceplugin/config"
	"github.com/berth-dev/berth/deviceplugin/inotify"
	"github.com/berth-dev/berth/deviceplugin/inventory"
	"github.com/berth-dev/berth/deviceplugin/kubelet"
	"github.com/berth-dev/berth/deviceplugin/metrics"
	"github.com/berth-dev/berth/deviceplugin/sysfs"
)

// serve advertises the node's devices until ctx ends.
func serve(ctx context.Context, cfg config.Config, log *slog.Logger) {
	watcher, err := inotify.New()
	if err != nil {
		log.Warn(err.Error())
	}
	defer watcher.Close() //nolint:errcheck // the process ends
	removed, err := kubelet.RemoveStale(cfg.DevicePluginDir)
	if err != nil {
		log.Warn(err.Error())
	}
	if len(removed) > 0 {
		log.Info("removed the sockets of an earlier instance", "sockets", removed)
	}
	m := metrics.New(version)
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { serveHTTP(ctx, cfg.Listen, m, staleAfter(cfg), log) })
	l := &loop{
		cfg: cfg, fsys: os.DirFS(root(cfg)), watcher: watcher, metrics: m, changes: inotify.NewSignal(), log: log,
		inventory: inventory.New(log, away(os.DirFS(root(cfg)))), groups: map[string]uint32{},
		start: func(e *inventory.Entry) {
			p := &kubelet.Plugin{
				Resource: e.Name, Dir: cfg.DevicePluginDir, Feed: e.Feed, Policy: e.Policy,
				Watcher: watcher, Observer: m, Log: log,
			}
			running.Go(func() { p.Run(ctx) })
		},
	}
	l.run(ctx)
}

// away reports whether a device node is certainly not there. One that cannot be looked at may be.
func away(fsys fs.FS) func(string) bool {
	return func(hostPath string) bool {
		_, there, err := sysfs.Node(fsys, strings.TrimPrefix(hostPath, "/"))
		return err == nil && !there
	}
}
