package inventory

import "github.com/berth-dev/berth/deviceplugin/device"

// merge gives what is known after a scan found found. With partial the scan could not read everything.
func merge(known, found []device.Device, partial bool) []device.Device {
	byIdentity := make(map[string]device.Device, len(found))
	merged := make([]device.Device, 0, len(found))
	for _, d := range found {
		if _, twice := byIdentity[d.Identity]; !twice {
			byIdentity[d.Identity] = d
		}
	}
	for _, old := range known {
		now, there := byIdentity[old.Identity]
		delete(byIdentity, old.Identity)
		merged = append(merged, next(old, now, there, partial))
	}
	for _, d := range found {
		if now, isNew := byIdentity[d.Identity]; isNew {
			merged = append(merged, now)
			delete(byIdentity, d.Identity)
		}
	}
	device.Sort(merged)
	return merged
}

// next gives the state of a known device. One that has only some of its nodes is the same device and unhealthy; one that has others is
// what the kernel made of it since.
func next(old, now device.Device, there, partial bool) device.Device {
	switch whole := there && !now.Grant.Lacks(old.Grant); {
	case whole:
		return now
	case partial:
		return old
	}
	old.Healthy = false
	return old
}
