package inventory

import "github.com/berth-dev/berth/deviceplugin/device"

// merge gives what is known after a scan found found. complete says whether the scan could read everything; where it could not, lacks
// reports that a node of a device is certainly away.
func merge(known, found []device.Device, complete bool, lacks func(device.Device) bool) []device.Device {
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
		if there && (!now.Grant.Lacks(old.Grant) || now.Varies && complete) {
			merged = append(merged, now) // as it was, or with the nodes that the kernel has given it since
			continue
		}
		// it is gone, or has only some of its nodes; or else the scan could not see it
		old.Healthy = old.Healthy && !complete && !lacks(old)
		merged = append(merged, old)
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
