package placement

import (
	"cmp"
	"slices"
)

// Move is a cell that differs between two matrices.
type Move struct {
	// Workload and Node name the cell.
	Workload, Node string
	// Before and After are the verdicts; nil where the workload or the node is not there.
	Before, After *Verdict
}

// States returns the words for both sides; - where the workload or the node is not there.
func (m Move) States() (before, after string) { return stateOf(m.Before), stateOf(m.After) }

func stateOf(v *Verdict) string {
	if v == nil {
		return "-"
	}
	return v.State()
}

// Moves lists the cells whose state differs, sorted by workload, as both matrices have it, and node. A cell of which
// only the reasons differ does not move.
func Moves(before, after *Matrix) []Move {
	old, recent := index(before), index(after)
	var moves []Move
	for _, workload := range union(old.workloads, recent.workloads, func(name string) *Workload {
		if at, found := recent.workload[name]; found {
			return after.Workloads[at]
		}
		return before.Workloads[old.workload[name]]
	}) {
		for _, node := range sortedUnion(old.nodes, recent.nodes) {
			move := Move{Workload: workload, Node: node, Before: old.at(workload, node), After: recent.at(workload, node)}
			if from, to := move.States(); from != to {
				moves = append(moves, move)
			}
		}
	}
	return moves
}

// names finds the cells of a matrix by name.
type names struct {
	matrix           *Matrix
	workloads, nodes []string
	workload, node   map[string]int
}

func index(m *Matrix) names {
	n := names{matrix: m, workload: map[string]int{}, node: map[string]int{}}
	for i, w := range m.Workloads {
		if _, twice := n.workload[w.String()]; !twice {
			n.workload[w.String()] = i
			n.workloads = append(n.workloads, w.String())
		}
	}
	for i, node := range m.Nodes {
		n.node[node.Name] = i
		n.nodes = append(n.nodes, node.Name)
	}
	return n
}

func (n names) at(workload, node string) *Verdict {
	w, found := n.workload[workload]
	if !found {
		return nil
	}
	at, found := n.node[node]
	if !found {
		return nil
	}
	return n.matrix.At(w, at)
}

// union merges two lists of workloads into the order of workloads.
func union(a, b []string, workload func(string) *Workload) []string {
	all := sortedUnion(a, b)
	slices.SortStableFunc(all, func(x, y string) int {
		return cmp.Or(workload(x).compare(workload(y)), cmp.Compare(x, y))
	})
	return all
}

func sortedUnion(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
