package live

import (
	"maps"
	"slices"
)

// labels returns a row for each label that an intent wants or owns. A node has many others, which are nobody's business
// here.
func (f *facts) labels() []Row {
	wanted, owners := f.want.labels(), f.own.labels()
	keys := map[string]bool{}
	for key := range wanted {
		keys[key] = true
	}
	for key := range owners {
		keys[key] = true
	}
	var rows []Row
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		value, isWanted := wanted[key]
		has, isLive := f.node.Labels[key]
		if !isWanted {
			value = has
		}
		row := Row{Label: key + "=" + value, Intent: mark(isWanted, true), NodeArgs: Unseen, Live: mark(isLive, has == value)}
		if f.args != nil {
			started, found := f.args.labels[key]
			row.NodeArgs = mark(found, started == value)
		}
		row.Owners = owners[key]
		rows = append(rows, row)
	}
	return rows
}
