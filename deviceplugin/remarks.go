package main

import (
	"github.com/berth-dev/berth/deviceplugin/discover"
	"github.com/berth-dev/berth/deviceplugin/drm"
)

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
