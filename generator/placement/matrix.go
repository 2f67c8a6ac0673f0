package placement

// Matrix holds the verdicts of every workload of a cluster on every node.
//
// Most workloads say the same as others, and most nodes cannot be told apart: a verdict is made once for each kind of
// pod and kind of node, and kept once however many cells have it.
type Matrix struct {
	// Cluster is what the matrix is of.
	*Cluster
	// Columns group the nodes on which every workload has the same verdict, as indices into Nodes. They are sorted by
	// their first node.
	Columns [][]int
	// Rows holds, for each workload, the index of its row in Cells.
	Rows []int
	// Cells holds rows of verdicts, one for each column, as indices into Verdicts.
	Cells [][]int
	// Verdicts are all that occur, each once.
	Verdicts []Verdict

	columnOf []int // by node
}

// NewMatrix decides about every workload on every node.
func NewMatrix(c *Cluster) *Matrix {
	pods, rows := distinctPods(c.Workloads)
	groups := groupNodes(c.Nodes, pods)
	b := &builder{index: map[string]int{}}
	cells := make([][]int, len(pods))
	for i, p := range pods {
		cells[i] = b.row(p, c.Nodes, groups)
	}
	m := &Matrix{Cluster: c, Rows: rows, Verdicts: b.verdicts}
	m.Columns, m.Cells = mergeColumns(groups, cells)
	m.columnOf = make([]int, len(c.Nodes))
	for column, nodes := range m.Columns {
		for _, n := range nodes {
			m.columnOf[n] = column
		}
	}
	return m
}

// At returns the verdict of a workload on a node, both by their index in the cluster.
func (m *Matrix) At(workload, node int) *Verdict {
	return m.InColumn(workload, m.columnOf[node])
}

// InColumn returns the verdict of a workload on the nodes of a column.
func (m *Matrix) InColumn(workload, column int) *Verdict {
	return &m.Verdicts[m.Cells[m.Rows[workload]][column]]
}

// distinctPods lists the pods that differ, and for each workload the index of its own.
func distinctPods(workloads []*Workload) (pods []*pod, rows []int) {
	index := map[*pod]int{}
	rows = make([]int, len(workloads))
	for i, w := range workloads {
		at, known := index[w.pod]
		if !known {
			at = len(pods)
			index[w.pod] = at
			pods = append(pods, w.pod)
		}
		rows[i] = at
	}
	return pods, rows
}

// builder keeps each verdict once.
type builder struct {
	verdicts []Verdict
	index    map[string]int
}

func (b *builder) row(p *pod, nodes []*Node, groups []group) []int {
	row := make([]int, len(groups))
	last := map[string]int{} // by what the nodes have in common, for a pod that knows none of them by name
	for i, g := range groups {
		if p.knows(g.name) {
			row[i] = b.keep(p.on(nodes[g.nodes[0]]))
			continue
		}
		at, known := last[g.signature]
		if !known {
			at = b.keep(p.on(nodes[g.nodes[0]]))
			last[g.signature] = at
		}
		row[i] = at
	}
	return row
}

func (b *builder) keep(v Verdict) int {
	key := v.key()
	at, known := b.index[key]
	if !known {
		at = len(b.verdicts)
		b.index[key] = at
		b.verdicts = append(b.verdicts, v)
	}
	return at
}
