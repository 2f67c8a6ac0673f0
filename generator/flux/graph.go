package flux

import (
	"cmp"
	"slices"
)

// Graph is the order in which an environment's Kustomizations reconcile.
type Graph struct {
	// Nodes are in the order of a cold start: by Wave, then by ID.
	Nodes []*Node
	// Edges are the dependsOn entries, in the order of Nodes and of each spec.
	Edges []Edge
	// Cycles are the Kustomizations that wait for one another, each group and the groups sorted. Besides dependsOn, a
	// Kustomization with wait: true that contains another one waits for it.
	Cycles [][]ID

	env   *Environment
	needs map[event][]need
}

// Node is a Kustomization's place in the order.
type Node struct {
	*Kustomization
	// Wave counts from 0, the entrypoint: a Kustomization comes after what declares it and after what it depends on.
	Wave int
	// Blocked says that it never reconciles on a cold start: it depends, over any number of steps, on something that is
	// missing, suspended, or waits for it in turn.
	Blocked bool
}

// EdgeState says whether a dependency can become ready.
type EdgeState string

// The states of a dependency.
const (
	EdgeOK        EdgeState = "ok"
	EdgeMissing   EdgeState = "missing"   // no such Kustomization in the environment
	EdgeSuspended EdgeState = "suspended" // it has suspend: true
	EdgeCycle     EdgeState = "cycle"     // it waits for this Kustomization
)

// Edge is an entry of spec.dependsOn: From waits until To is ready.
type Edge struct {
	From ID `json:"from"`
	To   ID `json:"to"`
	// ReadyExpr is a CEL expression that replaces the usual test for readiness; it is not evaluated.
	ReadyExpr string    `json:"readyExpr,omitempty"`
	State     EdgeState `json:"state"`
}

// Graph returns the environment's order.
func (e *Environment) Graph() *Graph {
	g := &Graph{env: e, needs: e.needs()}
	cyclic := g.findCycles()
	for _, k := range e.Kustomizations {
		g.Nodes = append(g.Nodes, &Node{Kustomization: k})
	}
	waves := g.waves()
	for _, n := range g.Nodes {
		n.Wave = waves[n.ID]
	}
	slices.SortStableFunc(g.Nodes, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(a.Wave, b.Wave), a.compare(b.ID))
	})
	for _, n := range g.Nodes {
		g.Edges = append(g.Edges, n.edges(e, cyclic)...)
	}
	g.block()
	return g
}

func (n *Node) edges(e *Environment, cyclic map[event]int) []Edge {
	edges := make([]Edge, 0, len(n.Spec.DependsOn))
	for i, to := range n.DependsOn() {
		edge := Edge{From: n.ID, To: to, ReadyExpr: n.Spec.DependsOn[i].ReadyExpr, State: EdgeOK}
		dependency := e.byID[to]
		group, inCycle := cyclic[event{n.ID, applied}]
		other, alsoInCycle := cyclic[event{to, ready}]
		switch {
		case dependency == nil:
			edge.State = EdgeMissing
		case inCycle && alsoInCycle && group == other:
			edge.State = EdgeCycle
		case dependency.Spec.Suspend:
			edge.State = EdgeSuspended
		}
		edges = append(edges, edge)
	}
	return edges
}

// block marks what can never reconcile.
func (g *Graph) block() {
	var never []event
	for _, edge := range g.Edges {
		// The controller asks for a dependency before it evaluates a readyExpr.
		if edge.State == EdgeMissing || edge.State != EdgeOK && edge.ReadyExpr == "" {
			never = append(never, event{edge.From, applied})
		}
	}
	stalled := g.follow(never, false)
	for _, n := range g.Nodes {
		_, n.Blocked = stalled[event{n.ID, applied}]
	}
}
