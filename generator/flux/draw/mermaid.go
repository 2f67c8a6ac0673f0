package draw

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/flux"
)

// Mermaid writes a flowchart as Markdown renderers draw it. Arrows point the way things happen: a solid one from a
// dependency, a dotted one from what declares a Kustomization.
func Mermaid(w io.Writer, p Picture) error {
	var b bytes.Buffer
	names := number(p)
	states := p.stalled()
	fmt.Fprintln(&b, "flowchart TD")
	for _, n := range p.Graph.Nodes {
		fmt.Fprintf(&b, "  %s[\"%s\"]%s\n", names[n.ID], strings.Join(label(n), "<br/>"), mermaidClass(n, states))
	}
	for _, id := range p.missing() {
		fmt.Fprintf(&b, "  %s[\"%s<br/>missing\"]:::missing\n", names[id], id)
	}
	for _, n := range p.Graph.Nodes {
		if n.Parent != nil {
			fmt.Fprintf(&b, "  %s -.-> %s\n", names[n.Parent.ID], names[n.ID])
		}
	}
	for _, e := range p.Graph.Edges {
		arrow := "-->"
		if e.State == flux.EdgeCycle {
			arrow = "-- cycle -->"
		}
		fmt.Fprintf(&b, "  %s %s %s\n", names[e.To], arrow, names[e.From])
	}
	b.WriteString(mermaidClasses)
	_, err := w.Write(b.Bytes())
	return err
}

const mermaidClasses = `  classDef wait stroke-width:3px
  classDef suspended stroke-dasharray:4
  classDef missing stroke:#c00,stroke-dasharray:2
  classDef broken stroke:#c00
  classDef cause fill:#c00,color:#fff
  classDef held fill:#f96,color:#000
  classDef notReady fill:#fd8,color:#000
`

func mermaidClass(n *flux.Node, states map[flux.ID]string) string {
	switch {
	case states[n.ID] != "":
		return ":::" + states[n.ID]
	case !n.Built || n.Blocked:
		return ":::broken"
	case n.Spec.Suspend:
		return ":::suspended"
	case n.Waits():
		return ":::wait"
	}
	return ""
}

// label is what stands in a Kustomization's box.
func label(n *flux.Node) []string {
	lines := []string{n.String(), n.Path}
	if n.Waits() {
		lines = append(lines, "wait")
	}
	return lines
}

// number gives each Kustomization, and each missing one, a name that every format takes.
func number(p Picture) map[flux.ID]string {
	names := map[flux.ID]string{}
	for _, n := range p.Graph.Nodes {
		names[n.ID] = fmt.Sprintf("k%d", len(names))
	}
	for _, id := range p.missing() {
		names[id] = fmt.Sprintf("k%d", len(names))
	}
	return names
}
