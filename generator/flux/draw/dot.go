package draw

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/flux"
)

// DOT writes a graph for Graphviz, with arrows as in Mermaid.
func DOT(w io.Writer, p Picture) error {
	var b bytes.Buffer
	names := number(p)
	states := p.stalled()
	fmt.Fprintf(&b, "digraph %q {\n  rankdir=TB;\n  node [shape=box];\n", p.Environment.Path)
	for _, n := range p.Graph.Nodes {
		fmt.Fprintf(&b, "  %s [label=%q%s];\n", names[n.ID], strings.Join(label(n), "\n"), dotStyle(n, states))
	}
	for _, id := range p.missing() {
		fmt.Fprintf(&b, "  %s [label=%q, style=dashed, color=red];\n", names[id], id.String()+"\nmissing")
	}
	for _, n := range p.Graph.Nodes {
		if n.Parent != nil {
			fmt.Fprintf(&b, "  %s -> %s [style=dotted];\n", names[n.Parent.ID], names[n.ID])
		}
	}
	for _, e := range p.Graph.Edges {
		style := ""
		if e.State == flux.EdgeCycle {
			style = " [color=red, label=cycle]"
		}
		fmt.Fprintf(&b, "  %s -> %s%s;\n", names[e.To], names[e.From], style)
	}
	fmt.Fprintln(&b, "}")
	_, err := w.Write(b.Bytes())
	return err
}

func dotStyle(n *flux.Node, states map[flux.ID]string) string {
	fills := map[string]string{"cause": "red", "held": "orange", "notReady": "khaki"}
	switch {
	case states[n.ID] != "":
		return ", style=filled, fillcolor=" + fills[states[n.ID]]
	case !n.Built || n.Blocked:
		return ", color=red"
	case n.Spec.Suspend:
		return ", style=dashed"
	case n.Waits():
		return ", penwidth=2"
	}
	return ""
}
