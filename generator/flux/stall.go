package flux

import (
	"cmp"
	"slices"
)

// Stall is what happens on a cold start, or to a new revision, when one Kustomization never becomes ready.
type Stall struct {
	// ID is the Kustomization that never becomes ready.
	ID ID `json:"id"`
	// Held are the Kustomizations whose objects are not applied, in reconcile order.
	Held []Stalled `json:"held"`
	// NotReady are those that are applied, but report that they are not ready, in reconcile order.
	NotReady []Stalled `json:"notReady"`
	// Objects are all objects of Held.
	Objects []*Object `json:"-"`
}

// Stalled is a Kustomization that something else keeps from going on.
type Stalled struct {
	ID ID `json:"id"`
	// Behind is the one that it waits for directly, and Because how.
	Behind  ID      `json:"behind"`
	Because Because `json:"because"`
	// Maybe says that a readyExpr stands in between, which may let it pass.
	Maybe bool `json:"maybe,omitempty"`
}

// Stalls returns what stalls behind a Kustomization that never becomes ready. A Kustomization that is not in the environment
// stalls what depends on it.
//
// One that waits for the health of its objects may have applied them. One that does not is ready as soon as it has applied
// them, so if it never is, it has not, and on a cold start nothing that it declares comes to be. What it declared before
// goes on: Flux prunes nothing for a revision that it could not apply.
func (g *Graph) Stalls(id ID) Stall {
	s := Stall{ID: id, Held: []Stalled{}, NotReady: []Stalled{}}
	start := []event{{id, ready}}
	if k := g.env.byID[id]; k != nil && !k.Waits() {
		start = append(start, event{id, applied})
	}
	certain := g.follow(start, false)
	possible := g.follow(start, true)
	for _, n := range g.Nodes {
		if n.ID == id {
			continue
		}
		if stalled, ok := pick(certain, possible, event{n.ID, applied}); ok {
			s.Held = append(s.Held, stalled)
			s.Objects = append(s.Objects, n.Objects...)
		} else if stalled, ok := pick(certain, possible, event{n.ID, ready}); ok {
			s.NotReady = append(s.NotReady, stalled)
		}
	}
	return s
}

func pick(certain, possible map[event]need, e event) (Stalled, bool) {
	n, ok := certain[e]
	maybe := !ok
	if !ok {
		n, ok = possible[e]
	}
	return Stalled{ID: e.ID, Behind: n.ID, Because: n.why, Maybe: maybe && ok}, ok
}

// follow returns every event that waits for one of the given ones, over any number of steps, with what it waits for. The
// given ones are part of the result.
func (g *Graph) follow(never []event, conditional bool) map[event]need {
	waiting := map[event][]need{} // by what is waited for; the need holds who waits
	for from, needs := range g.needs {
		for _, n := range needs {
			if conditional || !n.conditional {
				waiting[n.event] = append(waiting[n.event], need{from, n.why, n.conditional})
			}
		}
	}
	for _, needs := range waiting {
		slices.SortFunc(needs, func(a, b need) int {
			return cmp.Or(a.compare(b.ID), cmp.Compare(a.what, b.what), cmp.Compare(a.why, b.why))
		})
	}
	reached := map[event]need{}
	for _, e := range never {
		reached[e] = need{}
	}
	for queue := slices.Clone(never); len(queue) > 0; queue = queue[1:] {
		for _, n := range waiting[queue[0]] {
			if _, ok := reached[n.event]; !ok {
				reached[n.event] = need{event: queue[0], why: n.why}
				queue = append(queue, n.event)
			}
		}
	}
	return reached
}
