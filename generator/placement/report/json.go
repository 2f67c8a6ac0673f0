package report

import (
	"encoding/json"
	"io"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/placement"
)

// GroupVersion is the apiVersion of what is written as JSON.
const GroupVersion = "berth.dev/v1alpha1"

// Placement is the report as JSON. Verdicts are written once: a row refers to them by index, one for each column.
type Placement struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"` // Placement
	// Intents and Render name what was read.
	Intents []string `json:"intents"`
	Render  string   `json:"render"`
	// Edited says that Then differs from Now by the intents' edits, of which there are Edits.
	Edited bool `json:"edited"`
	Edits  int  `json:"edits"`

	Columns   []JSONColumn      `json:"columns"`
	Workloads []JSONRow         `json:"workloads"`
	Verdicts  []JSONVerdict     `json:"verdicts"`
	Unseen    []finding.Object  `json:"unseen,omitempty"`
	Findings  []finding.Finding `json:"findings,omitempty"`
}

// JSONColumn are nodes that all workloads treat alike.
type JSONColumn struct {
	Nodes []JSONNode `json:"nodes"`
}

// JSONNode is a node.
type JSONNode struct {
	Name           string   `json:"name"`
	Taints         []string `json:"taints"`
	Cordoned       bool     `json:"cordoned,omitempty"`
	LabelsComplete bool     `json:"labelsComplete"`
}

// JSONRow is a workload, with the index of a verdict for each column.
type JSONRow struct {
	finding.Object
	Place  string         `json:"place,omitempty"`
	Source finding.Source `json:"source"`
	// Now holds the verdicts of the render as it stands, Then those once the edits are made.
	Now  []int `json:"now"`
	Then []int `json:"then"`
}

// JSONVerdict is a verdict with its state.
type JSONVerdict struct {
	State string `json:"state"`
	*placement.Verdict
}

// JSON writes a table of the report.
func (r *Report) JSON(out io.Writer, t *Table) error {
	return writeJSON(out, r.placement(t))
}

func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func (r *Report) placement(t *Table) *Placement {
	p := &Placement{
		APIVersion: GroupVersion, Kind: "Placement", Intents: orEmpty(r.Intents), Render: r.Render, Edited: !r.asIs(), Edits: r.Edits,
		Columns: []JSONColumn{}, Workloads: []JSONRow{}, Verdicts: []JSONVerdict{}, Unseen: r.Then.Unseen, Findings: r.Then.Findings,
	}
	for _, c := range t.Columns {
		p.Columns = append(p.Columns, jsonColumn(c))
	}
	v := verdicts{index: map[*placement.Verdict]int{}, into: p}
	for _, row := range t.Rows {
		w := row.Workload
		out := JSONRow{Object: w.Object, Place: w.Place, Source: w.Source, Now: []int{}, Then: []int{}}
		for _, c := range row.Cells {
			out.Now = append(out.Now, v.of(c.Now))
			out.Then = append(out.Then, v.of(c.Then))
		}
		p.Workloads = append(p.Workloads, out)
	}
	return p
}

// verdicts numbers verdicts in the order in which they are met.
type verdicts struct {
	index map[*placement.Verdict]int
	into  *Placement
}

func (v *verdicts) of(one *placement.Verdict) int {
	at, known := v.index[one]
	if !known {
		at = len(v.into.Verdicts)
		v.index[one] = at
		v.into.Verdicts = append(v.into.Verdicts, JSONVerdict{one.State(), one})
	}
	return at
}

func jsonColumn(c Column) JSONColumn {
	var out JSONColumn
	for _, n := range c.Nodes {
		node := JSONNode{Name: n.Name, Taints: []string{}, Cordoned: n.Cordoned, LabelsComplete: n.LabelsComplete}
		for _, t := range n.Taints {
			node.Taints = append(node.Taints, t.String())
		}
		out.Nodes = append(out.Nodes, node)
	}
	return out
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
