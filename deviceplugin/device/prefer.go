package device

import (
	"fmt"
	"slices"
	"strings"
)

// Policy says which of several free devices a container should get.
type Policy string

// The policies.
const (
	None   Policy = "none"   // the kubelet chooses
	Spread Policy = "spread" // as many devices as possible, and of those the least used
	Packed Policy = "packed" // as few devices as possible
)

// ParsePolicy reads a policy. "balanced" is what Intel's plugin calls Spread.
func ParsePolicy(s string) (Policy, error) {
	switch p := Policy(s); p {
	case None, Spread, Packed:
		return p, nil
	case "balanced":
		return Spread, nil
	}
	return "", fmt.Errorf("allocation policy %q: use none, spread, balanced (the same as spread) or packed", s)
}

// Prefer chooses size of the available IDs, those in must first. It never fails, since the kubelet turns an error into a pod that is
// not admitted: with fewer than size to choose from it gives those there are, and an ID it does not know counts as a device of its
// own.
func Prefer(l *List, policy Policy, available, must []string, size int) []string {
	if policy == None || size <= 0 {
		return nil
	}
	c := newChoice(l, available, must)
	for _, id := range must {
		if len(c.chosen) < size {
			c.take(id)
		}
	}
	for len(c.chosen) < size && len(c.free) > 0 {
		c.take(c.free[c.best(policy)][0])
	}
	return c.chosen
}

// choice is a selection under way: the free IDs by device, and what was taken of each.
type choice struct {
	list   *List
	free   map[string][]string
	taken  map[string]int
	chosen []string
}

func newChoice(l *List, available, must []string) *choice {
	c := &choice{list: l, free: map[string][]string{}, taken: map[string]int{}}
	all := slices.Concat(available, must)
	slices.SortFunc(all, byNumber)
	for _, id := range slices.Compact(all) {
		key := c.key(id)
		c.free[key] = append(c.free[key], id)
	}
	return c
}

// byNumber orders shares as a person counts: 2 before 10.
func byNumber(a, b string) int {
	if len(a) != len(b) && a[:strings.LastIndex(a, "-")+1] == b[:strings.LastIndex(b, "-")+1] {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func (c *choice) key(id string) string {
	if d := c.list.Find(id); d != nil {
		return "device " + d.Identity
	}
	return "unknown " + id
}

func (c *choice) take(id string) {
	key := c.key(id)
	i := slices.Index(c.free[key], id)
	if i < 0 {
		return // named twice
	}
	if c.free[key] = slices.Delete(c.free[key], i, i+1); len(c.free[key]) == 0 {
		delete(c.free, key)
	}
	c.taken[key]++
	c.chosen = append(c.chosen, id)
}

// best gives the device to take the next share of.
func (c *choice) best(policy Policy) string {
	best := ""
	for key := range c.free {
		if best == "" || c.better(policy, key, best) {
			best = key
		}
	}
	return best
}

func (c *choice) better(policy Policy, a, b string) bool {
	takenA, takenB, freeA, freeB := c.taken[a], c.taken[b], len(c.free[a]), len(c.free[b])
	if policy == Packed {
		takenA, takenB, freeA, freeB = takenB, takenA, freeB, freeA
	}
	if takenA != takenB {
		return takenA < takenB
	}
	if freeA != freeB {
		return freeA > freeB
	}
	return a < b
}
