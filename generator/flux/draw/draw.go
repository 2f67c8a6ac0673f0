package draw

import (
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/flux"
)

// Picture is what is drawn.
type Picture struct {
	Environment *flux.Environment
	Graph       *flux.Graph
	// Stall is shown in the graph; nil shows the whole order.
	Stall *flux.Stall
}

// writers are the formats, by their names.
var writers = map[string]func(io.Writer, Picture) error{
	"text": Text, "mermaid": Mermaid, "dot": DOT, "json": JSON,
}

// Formats are the names that Write knows.
var Formats = []string{"text", "mermaid", "dot", "json"}

// Write draws in the format of that name.
func Write(w io.Writer, format string, p Picture) error {
	write, ok := writers[format]
	if !ok {
		return fmt.Errorf("format %q: must be one of %s", format, strings.Join(Formats, ", "))
	}
	return write(w, p)
}

// stalled returns how each Kustomization stands in the stall: cause, held, notReady or nothing.
func (p Picture) stalled() map[flux.ID]string {
	states := map[flux.ID]string{}
	if p.Stall == nil {
		return states
	}
	states[p.Stall.ID] = "cause"
	for _, s := range p.Stall.Held {
		states[s.ID] = "held"
	}
	for _, s := range p.Stall.NotReady {
		states[s.ID] = "notReady"
	}
	return states
}

// missing returns the dependencies that do not exist, each once, in the order of the graph.
func (p Picture) missing() []flux.ID {
	var ids []flux.ID
	seen := map[flux.ID]bool{}
	for _, e := range p.Graph.Edges {
		if e.State == flux.EdgeMissing && !seen[e.To] {
			seen[e.To] = true
			ids = append(ids, e.To)
		}
	}
	return ids
}

// plural counts; of a noun with more words after it, the first one takes the s.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if first, rest, found := strings.Cut(noun, " to "); found {
		return fmt.Sprintf("%d %ss to %s", n, first, rest)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
