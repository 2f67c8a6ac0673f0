package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/placement"
)

// Change is what lies between two reports.
type Change struct {
	Before, After *Report
}

// group are the nodes of one workload that move alike.
type group struct {
	move  placement.Move
	nodes []string
}

// Text writes the cells that move, and nothing else.
func (c Change) Text(out io.Writer) error {
	moves := placement.Moves(c.Before.Then, c.After.Then)
	var b strings.Builder
	b.WriteString(wrap("", 0, c.headline(len(moves))))
	for at := 0; at < len(moves); {
		end := at
		for end < len(moves) && moves[end].Workload == moves[at].Workload {
			end++
		}
		b.WriteString("\n" + moves[at].Workload + "\n")
		for _, g := range groups(moves[at:end]) {
			g.write(&b)
		}
		at = end
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (c Change) headline(moves int) string {
	from, to := c.Before.name(), c.After.name()
	if moves == 0 {
		return fmt.Sprintf("Nothing moves from %s to %s.", from, to)
	}
	verb := map[bool]string{true: "moves", false: "move"}[moves == 1]
	return fmt.Sprintf("%s %s from %s to %s. %s", count(moves, "cell"), verb, from, to, c.shows())
}

func (c Change) shows() string {
	if c.Before.asIs() {
		return "Both sides are shown as they stand."
	}
	return "Both sides are shown with their intents' edits made."
}

func (r *Report) name() string {
	if len(r.Intents) == 0 {
		return r.Render
	}
	return r.Render + " with " + strings.Join(r.Intents, ", ")
}

// groups puts nodes together that move alike, in the order of the first.
func groups(moves []placement.Move) []*group {
	var all []*group
	index := map[string]*group{}
	for _, m := range moves {
		before, after := m.States()
		key := before + ">" + after + why(m)
		g := index[key]
		if g == nil {
			g = &group{move: m}
			index[key] = g
			all = append(all, g)
		}
		g.nodes = append(g.nodes, m.Node)
	}
	return all
}

func (g *group) write(b *strings.Builder) {
	before, after := g.move.States()
	b.WriteString(wrap("  "+pad(before+" > "+after, 12)+"  ", 16, strings.Join(g.nodes, ", ")))
	if text := why(g.move); text != "" {
		b.WriteString(wrap(strings.Repeat(" ", 16), 16, text))
	}
}

// why is the first reason of what comes after, or of what is gone.
func why(m placement.Move) string {
	switch {
	case m.After == nil:
		return "it is not there any more"
	case m.Before == nil:
		return "new: " + first(m.After)
	}
	return first(m.After)
}

func first(v *placement.Verdict) string {
	if len(v.Reasons) == 0 {
		return ""
	}
	return v.Reasons[0].Message + " [" + v.Reasons[0].Code + "]"
}
