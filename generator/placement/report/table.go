package report

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/placement"
)

// Table is a matrix for a reader: a row for each workload, a column for nodes that all workloads treat alike.
type Table struct {
	Columns []Column
	Rows    []Row
}

// Column are nodes on which every workload has the same verdicts.
type Column struct {
	// Letter is A, B, ... Z, AA, ...
	Letter string
	Nodes  []*placement.Node

	now, then int
}

// Row are the verdicts of one workload.
type Row struct {
	Workload *placement.Workload
	Cells    []Cell
}

// Cell is a workload on the nodes of a column.
type Cell struct {
	Now, Then *placement.Verdict
}

// Moved says whether the edits change the state of the cell.
func (c Cell) Moved() bool { return c.Now.State() != c.Then.State() }

// State is the state, or both when the edits change it.
func (c Cell) State() string {
	if c.Moved() {
		return c.Now.State() + ">" + c.Then.State()
	}
	return c.Then.State()
}

// Table lays the report out. A node or a workload that is not selected is left out.
func (r *Report) Table(node func(*placement.Node) bool, workload func(*placement.Workload) bool) *Table {
	t := &Table{Columns: r.columns(node)}
	for i, w := range r.Then.Workloads {
		if !workload(w) {
			continue
		}
		row := Row{Workload: w, Cells: make([]Cell, 0, len(t.Columns))}
		for _, c := range t.Columns {
			row.Cells = append(row.Cells, Cell{Now: r.Now.InColumn(i, c.now), Then: r.Then.InColumn(i, c.then)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// All selects everything.
func All[T any](T) bool { return true }

// columns are the nodes that are in one column both now and then.
func (r *Report) columns(selected func(*placement.Node) bool) []Column {
	type pair struct{ now, then int }
	index := map[pair]int{}
	now, then := columnOf(r.Now), columnOf(r.Then)
	var columns []Column
	for n, node := range r.Then.Nodes {
		if !selected(node) {
			continue
		}
		both := pair{now[n], then[n]}
		at, known := index[both]
		if !known {
			at = len(columns)
			index[both] = at
			columns = append(columns, Column{Letter: letter(at), now: both.now, then: both.then})
		}
		columns[at].Nodes = append(columns[at].Nodes, node)
	}
	return columns
}

func columnOf(m *placement.Matrix) []int {
	of := make([]int, len(m.Nodes))
	for c, nodes := range m.Columns {
		for _, n := range nodes {
			of[n] = c
		}
	}
	return of
}

func letter(i int) string {
	var out []byte
	for i++; i > 0; i = (i - 1) / 26 {
		out = append(out, byte('A'+(i-1)%26))
	}
	slices.Reverse(out)
	return string(out)
}

// Names lists the column's nodes.
func (c Column) Names() string {
	names := make([]string, len(c.Nodes))
	for i, n := range c.Nodes {
		names[i] = n.Name
	}
	return strings.Join(names, ", ")
}

// About says what the column's nodes have: their taints, and whether they are cordoned, where they agree.
func (c Column) About() string {
	about := aboutNode(c.Nodes[0])
	for _, n := range c.Nodes[1:] {
		if aboutNode(n) != about {
			return "different taints, of which no workload takes notice"
		}
	}
	return about
}

func aboutNode(n *placement.Node) string {
	var parts []string
	for _, t := range n.Taints {
		parts = append(parts, t.String())
	}
	if len(parts) == 0 {
		parts = append(parts, "no taints")
	}
	if n.Cordoned {
		parts = append(parts, "cordoned")
	}
	return strings.Join(parts, ", ")
}
