package report

import (
	"io"

	"github.com/berth-dev/berth/generator/placement"
)

// PlacementMoves is a change as JSON.
type PlacementMoves struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"` // PlacementMoves
	Before     JSONSide   `json:"before"`
	After      JSONSide   `json:"after"`
	Moves      []JSONMove `json:"moves"`
}

// JSONSide names one side of a change.
type JSONSide struct {
	Intents []string `json:"intents"`
	Render  string   `json:"render"`
	Edited  bool     `json:"edited"`
}

// JSONMove is one cell that moves. A side on which the workload or the node is not there is null.
type JSONMove struct {
	Workload string       `json:"workload"`
	Node     string       `json:"node"`
	Before   *JSONVerdict `json:"before"`
	After    *JSONVerdict `json:"after"`
}

// JSON writes the cells that move.
func (c Change) JSON(out io.Writer) error {
	doc := PlacementMoves{APIVersion: GroupVersion, Kind: "PlacementMoves", Before: c.Before.side(), After: c.After.side(), Moves: []JSONMove{}}
	for _, m := range placement.Moves(c.Before.Then, c.After.Then) {
		doc.Moves = append(doc.Moves, JSONMove{m.Workload, m.Node, jsonVerdict(m.Before), jsonVerdict(m.After)})
	}
	return writeJSON(out, doc)
}

func (r *Report) side() JSONSide {
	return JSONSide{Intents: orEmpty(r.Intents), Render: r.Render, Edited: !r.asIs()}
}

func jsonVerdict(v *placement.Verdict) *JSONVerdict {
	if v == nil {
		return nil
	}
	return &JSONVerdict{v.State(), v}
}
