package inventory

import (
	"log/slog"
	"maps"
	"slices"

	"github.com/berth-dev/berth/deviceplugin/device"
	"github.com/berth-dev/berth/deviceplugin/discover"
)

// Inventory is what the node has. It is used by one goroutine; the feeds are for others.
type Inventory struct {
	log     *slog.Logger
	away    func(hostPath string) bool
	entries map[string]*Entry
}

// Entry is a resource that has had a device since the plugin started.
type Entry struct {
	Name   string
	Policy device.Policy
	Feed   *device.Feed
	// Devices are those of the feed's list. They belong to the inventory, and are replaced with the next Update.
	Devices []device.Device

	shares int
}

// New returns an inventory that knows of nothing. away reports whether a device node is certainly not there.
func New(log *slog.Logger, away func(hostPath string) bool) *Inventory {
	return &Inventory{log: log, away: away, entries: map[string]*Entry{}}
}

// lacks reports whether a node of the device is certainly not there.
func (inv *Inventory) lacks(d device.Device) bool {
	return slices.ContainsFunc(d.Grant.HostPaths(), inv.away)
}

// Entries gives all resources, sorted by name.
func (inv *Inventory) Entries() []*Entry {
	all := make([]*Entry, 0, len(inv.entries))
	for _, name := range slices.Sorted(maps.Keys(inv.entries)) {
		all = append(all, inv.entries[name])
	}
	return all
}

// Update merges a scan into what is known, and gives the resources that were not known before. changed reports whether any list is new.
func (inv *Inventory) Update(r discover.Result) (added []*Entry, changed bool) {
	found := map[string][]device.Device{}
	for _, resource := range r.Resources {
		found[resource.Name] = resource.Devices
		if inv.entries[resource.Name] == nil {
			e := &Entry{Name: resource.Name, Policy: resource.Policy, Feed: device.NewFeed(), shares: resource.Shares}
			inv.entries[resource.Name] = e
			added = append(added, e)
		}
	}
	for _, e := range inv.Entries() {
		if inv.update(e, merge(e.Devices, found[e.Name], r.Err == nil, inv.lacks)) {
			changed = true
		}
	}
	return added, changed
}

// update publishes the devices if they are not those that are published already.
func (inv *Inventory) update(e *Entry, devices []device.Device) bool {
	if slices.EqualFunc(e.Devices, devices, device.Device.Equal) {
		return false
	}
	inv.logChanges(e, devices)
	e.Devices = devices
	shares, leftOut := device.Shares(devices, e.shares)
	if leftOut > 0 {
		inv.log.Error("too many devices: the kubelet could not take the list", "resource", e.Name, "most", device.MaxShares, "leftOut", leftOut)
	}
	e.Feed.Publish(shares)
	return true
}

func (inv *Inventory) logChanges(e *Entry, devices []device.Device) {
	before := byIdentity(e.Devices)
	for _, d := range devices {
		old, known := before[d.Identity]
		delete(before, d.Identity)
		attributes := []any{"resource", e.Name, "device", d.Identity, "nodes", d.Grant.HostPaths()}
		switch {
		case known && old.Equal(d):
		case !d.Healthy:
			inv.log.Warn("device is away", attributes...)
		case !known:
			inv.log.Info("device found", append(attributes, "shares", e.shares)...)
		case !old.Healthy:
			inv.log.Info("device is back", attributes...)
		default:
			inv.log.Info("device has changed", append(attributes, "before", old.Grant.HostPaths())...)
		}
	}
}

func byIdentity(devices []device.Device) map[string]device.Device {
	m := make(map[string]device.Device, len(devices))
	for _, d := range devices {
		m[d.Identity] = d
	}
	return m
}
