package device

import (
	"slices"
	"strings"
)

// Merge is what one container is given for several devices, in the order of the devices' identities, whichever order the kubelet named
// them in. What would be given twice is given once: the kubelet tells things apart by their path in the container, or by their name.
func Merge(devices []*Device) Grant {
	devices = slices.Clone(devices)
	slices.SortFunc(devices, func(a, b *Device) int { return strings.Compare(a.Identity, b.Identity) })
	var g Grant
	for _, d := range slices.Compact(devices) {
		g.Nodes = addNew(g.Nodes, d.Grant.Nodes, func(n Node) string { return n.ContainerPath })
		g.Mounts = addNew(g.Mounts, d.Grant.Mounts, func(m Mount) string { return m.ContainerPath })
		g.CDI = addNew(g.CDI, d.Grant.CDI, func(s string) string { return s })
		g.Env = addEnv(g.Env, d.Grant.Env)
	}
	return g
}

// addNew appends those whose key is not there yet.
func addNew[T any](to, from []T, key func(T) string) []T {
	for _, v := range from {
		if !slices.ContainsFunc(to, func(t T) bool { return key(t) == key(v) }) {
			to = append(to, v)
		}
	}
	return to
}

func addEnv(to, from []Env) []Env {
	for _, e := range from {
		i := slices.IndexFunc(to, func(t Env) bool { return t.Name == e.Name })
		switch {
		case i < 0:
			to = append(to, e)
		case e.Join && to[i].Join:
			to[i].Value += "," + e.Value
		}
	}
	return to
}
