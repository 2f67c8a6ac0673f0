package draw

import (
	"encoding/json"
	"io"

	"github.com/berth-dev/berth/generator/flux"
)

// document is the JSON form. A field may be added within a version; none changes its meaning.
type document struct {
	APIVersion     string          `json:"apiVersion"`
	Kind           string          `json:"kind"`
	Path           string          `json:"path"`
	Kustomizations []kustomization `json:"kustomizations"`
	Edges          []flux.Edge     `json:"edges"`
	Cycles         [][]flux.ID     `json:"cycles"`
	Unseen         []flux.Unseen   `json:"unseen"`
	Stall          *flux.Stall     `json:"stall,omitempty"`
}

type kustomization struct {
	flux.ID
	Path      string         `json:"path"`
	File      string         `json:"file"`
	Line      int            `json:"line,omitempty"`
	Wave      int            `json:"wave"`
	Wait      bool           `json:"wait"`
	Suspended bool           `json:"suspended"`
	Blocked   bool           `json:"blocked"`
	Built     bool           `json:"built"`
	Objects   int            `json:"objects"`
	Parent    *flux.ID       `json:"parent,omitempty"`
	Source    flux.SourceRef `json:"source"`
	Problems  []flux.Problem `json:"problems"`
}

// JSON writes a typed, versioned document.
func JSON(w io.Writer, p Picture) error {
	d := document{
		APIVersion: "berth.dev/v1alpha1", Kind: "ReconcileGraph", Path: p.Environment.Path,
		Kustomizations: make([]kustomization, 0, len(p.Graph.Nodes)),
		Edges:          some(p.Graph.Edges), Cycles: some(p.Graph.Cycles), Unseen: some(p.Environment.Unseen), Stall: p.Stall,
	}
	for _, n := range p.Graph.Nodes {
		d.Kustomizations = append(d.Kustomizations, describe(n))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}

func describe(n *flux.Node) kustomization {
	at := n.Place()
	k := kustomization{
		ID: n.ID, Path: n.Path, File: at.File, Line: at.Line, Wave: n.Wave, Wait: n.Waits(), Suspended: n.Spec.Suspend,
		Blocked: n.Blocked, Built: n.Built, Objects: len(n.Objects), Source: n.Source, Problems: some(n.Problems),
	}
	if n.Parent != nil {
		k.Parent = &n.Parent.ID
	}
	return k
}

// some makes a missing list an empty one, which is easier to read for programs.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
