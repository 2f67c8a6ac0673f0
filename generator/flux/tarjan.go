package flux

import "slices"

// tarjan finds the strongly connected components of a graph of events.
type tarjan struct {
	needs      map[event][]need
	index, low map[event]int
	onStack    map[event]bool
	stack      []event
	components [][]event
}

func (t *tarjan) visit(e event) {
	t.index[e], t.low[e] = len(t.index), len(t.index)
	t.stack = append(t.stack, e)
	t.onStack[e] = true
	for _, n := range t.needs[e] {
		if _, seen := t.index[n.event]; !seen {
			t.visit(n.event)
			t.low[e] = min(t.low[e], t.low[n.event])
		} else if t.onStack[n.event] {
			t.low[e] = min(t.low[e], t.index[n.event])
		}
	}
	if t.low[e] != t.index[e] {
		return
	}
	at := slices.Index(t.stack, e)
	component := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, member := range component {
		t.onStack[member] = false
	}
	t.components = append(t.components, component)
}

func (t *tarjan) selfLoop(e event) bool {
	return slices.ContainsFunc(t.needs[e], func(n need) bool { return n.event == e })
}
