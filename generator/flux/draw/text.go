package draw

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/flux"
)

const columns = 80

// Text writes the order for people: wave by wave, with what each Kustomization waits for, and what is wrong with it.
func Text(w io.Writer, p Picture) error {
	var b bytes.Buffer
	if p.Stall != nil {
		textStall(&b, p)
	} else {
		textOrder(&b, p)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func textOrder(b *bytes.Buffer, p Picture) {
	objects, waves := 0, 0
	for _, n := range p.Graph.Nodes {
		objects += len(n.Objects)
		waves = max(waves, n.Wave+1)
	}
	line(b, "", fmt.Sprintf("%s: %s in %s, %s", p.Environment.Path,
		plural(len(p.Graph.Nodes), "Kustomization"), plural(waves, "wave"), plural(objects, "object")))
	wave := -1
	for _, n := range p.Graph.Nodes {
		if n.Wave != wave {
			wave = n.Wave
			fmt.Fprintf(b, "\nwave %d\n", wave)
		}
		textNode(b, p, n)
	}
	textCycles(b, p)
	textUnseen(b, p)
}

func textNode(b *bytes.Buffer, p Picture, n *flux.Node) {
	marks := []string{plural(len(n.Objects), "object")}
	if n.Waits() {
		marks = append(marks, "wait")
	}
	if n.Spec.Suspend {
		marks = append(marks, "suspended")
	}
	if n.Blocked {
		marks = append(marks, "BLOCKED")
	}
	if !n.Built {
		marks[0] = "not built"
	}
	head := fmt.Sprintf("  %-32s  %s", n.ID, strings.Join(marks, ", "))
	if together := fmt.Sprintf("%-54s  %s", head, n.Path); len(together) <= columns {
		fmt.Fprintln(b, together)
	} else {
		fmt.Fprintf(b, "%s\n    %s\n", head, n.Path)
	}
	for _, e := range p.Graph.Edges {
		if e.From == n.ID {
			line(b, "    ", "after "+e.To.String()+remark(e))
		}
	}
	for _, problem := range n.Problems {
		line(b, "    ", fmt.Sprintf("! %s: %s", problem.Reason, problem.Message))
	}
}

func remark(e flux.Edge) string {
	var notes []string
	if e.State != flux.EdgeOK {
		notes = append(notes, map[flux.EdgeState]string{
			flux.EdgeMissing: "MISSING", flux.EdgeSuspended: "SUSPENDED", flux.EdgeCycle: "CYCLE",
		}[e.State])
	}
	if e.ReadyExpr != "" {
		notes = append(notes, "by its readyExpr")
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, ", ") + ")"
}

func textCycles(b *bytes.Buffer, p Picture) {
	for i, cycle := range p.Graph.Cycles {
		if i == 0 {
			fmt.Fprintln(b)
		}
		line(b, "", "cycle: "+join(cycle)+" wait for one another")
	}
}

func textUnseen(b *bytes.Buffer, p Picture) {
	counts := map[flux.UnseenKind]int{}
	for _, u := range p.Environment.Unseen {
		counts[u.Kind]++
	}
	for i, kind := range slices.Sorted(maps.Keys(counts)) {
		if i == 0 {
			fmt.Fprintln(b)
		}
		line(b, "", "not seen offline: "+plural(counts[kind], unseenNames[kind]))
	}
}

var unseenNames = map[flux.UnseenKind]string{
	flux.UnseenSource: "source", flux.UnseenRemoteBase: "remote base", flux.UnseenChart: "Helm chart",
	flux.UnseenValues: "reference to Helm values", flux.UnseenVariables: "reference to variables",
	flux.UnseenEncrypted: "encrypted object", flux.UnseenResourceSet: "ResourceSet",
}

func join(ids []flux.ID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id.String()
	}
	return strings.Join(names, ", ")
}

// line writes words on as many lines as it takes; what follows the first is indented by two more.
func line(b *bytes.Buffer, indent, text string) {
	if len(indent)+len(text) <= columns {
		fmt.Fprintln(b, indent+strings.TrimRight(text, " "))
		return
	}
	at := indent
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			at += word
		case len(at)+1+len(word) > columns:
			fmt.Fprintln(b, at)
			at = indent + "  " + word
		default:
			at += " " + word
		}
	}
	fmt.Fprintln(b, at)
}
