package flux

import (
	"slices"
)

// event is something that happens once to a Kustomization on a cold start: its objects are applied, and it becomes ready.
// What waits for what is a graph of events. One graph of Kustomizations would not do: a Kustomization is declared by
// another one's objects, which need not be healthy for that, but it depends on another one's health.
type event struct {
	ID
	what happening
}

type happening int

const (
	applied happening = iota
	ready
)

// need is an event that another one waits for.
type need struct {
	event
	why         Because
	conditional bool // a readyExpr decides
}

// Because says why something waits.
type Because string

// The reasons for waiting.
const (
	BecauseDependsOn Because = "dependsOn" // spec.dependsOn names it
	BecauseInside    Because = "inside"    // it declares this Kustomization
	BecauseWait      Because = "wait"      // spec.wait or spec.healthChecks: its health is part of this one's
)

// needs returns for each event the events that it waits for.
func (e *Environment) needs() map[event][]need {
	all := map[event][]need{}
	add := func(from, to event, why Because, conditional bool) {
		all[from] = append(all[from], need{to, why, conditional})
	}
	for _, k := range e.Kustomizations {
		add(event{k.ID, ready}, event{k.ID, applied}, "", false)
		if k.Parent != nil {
			add(event{k.ID, applied}, event{k.Parent.ID, applied}, BecauseInside, false)
			if k.Parent.watches(k) {
				add(event{k.Parent.ID, ready}, event{k.ID, ready}, BecauseWait, false)
			}
		}
		for i, to := range k.DependsOn() {
			add(event{k.ID, applied}, event{to, ready}, BecauseDependsOn, k.Spec.DependsOn[i].ReadyExpr != "")
		}
	}
	return all
}

// watches says whether a Kustomization that this one declares is part of its health.
func (k *Kustomization) watches(child *Kustomization) bool {
	if k.Spec.Wait {
		return child.Object != nil && !child.Object.NotApplied
	}
	for _, check := range k.Spec.HealthChecks {
		if check.Kind == "Kustomization" && check.Name == child.Name && (check.Namespace == "" || check.Namespace == child.Namespace) {
			return true
		}
	}
	return false
}

// waves returns how many steps come before each Kustomization's objects are applied.
func (g *Graph) waves() map[ID]int {
	depth := map[event]int{}
	open := map[event]bool{}
	var visit func(event) int
	visit = func(e event) int {
		if d, ok := depth[e]; ok || open[e] {
			return d
		}
		open[e] = true
		d := 0
		for _, n := range g.needs[e] {
			if g.env.byID[n.ID] == nil {
				continue
			}
			step := 0
			if e.what == applied {
				step = 1
			}
			d = max(d, visit(n.event)+step)
		}
		open[e] = false
		depth[e] = d
		return d
	}
	waves := map[ID]int{}
	for _, k := range g.env.Kustomizations {
		waves[k.ID] = visit(event{k.ID, applied})
	}
	return waves
}

// findCycles fills Cycles and returns the number of each event's cycle (Tarjan's strongly connected components).
func (g *Graph) findCycles() map[event]int {
	t := tarjan{needs: g.needs, index: map[event]int{}, low: map[event]int{}, onStack: map[event]bool{}}
	for _, k := range g.env.Kustomizations {
		for _, what := range []happening{applied, ready} {
			if _, seen := t.index[event{k.ID, what}]; !seen {
				t.visit(event{k.ID, what})
			}
		}
	}
	member := map[event]int{}
	for n, component := range t.components {
		if len(component) == 1 && !t.selfLoop(component[0]) {
			continue
		}
		var ids []ID
		for _, e := range component {
			member[e] = n
			if !slices.Contains(ids, e.ID) {
				ids = append(ids, e.ID)
			}
		}
		g.Cycles = append(g.Cycles, sortIDs(ids))
	}
	slices.SortFunc(g.Cycles, func(a, b []ID) int { return a[0].compare(b[0]) })
	return member
}
