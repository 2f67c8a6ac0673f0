package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/placement"
)

// Cells writes the reasons of every cell of a table.
func (t *Table) Cells(out io.Writer) error {
	var b strings.Builder
	for i, row := range t.Rows {
		if i > 0 {
			b.WriteString("\n")
		}
		place := row.Workload.Source.String()
		if place != "" {
			place = " (" + place + ")"
		}
		b.WriteString(row.Workload.String() + place + "\n")
		for at, c := range row.Cells {
			cell(&b, t.Columns[at], c)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func cell(b *strings.Builder, column Column, c Cell) {
	b.WriteString("\n" + wrap("  on ", 5, column.Names()+" ("+column.About()+")"))
	if c.Moved() {
		verdict(b, "as it stands: ", c.Now)
		verdict(b, "once the edits are made: ", c.Then)
		return
	}
	verdict(b, "", c.Then)
}

func verdict(b *strings.Builder, when string, v *placement.Verdict) {
	b.WriteString(wrap("  ", 2, fmt.Sprintf("%s%s: %s.", when, v.State(), Sentence(v))))
	for _, r := range v.Reasons {
		b.WriteString(wrap("    "+pad(string(r.Bearing), 8), 12, fmt.Sprintf("%s [%s]", r.Message, r.Code)))
		if r.Action != "" {
			b.WriteString(wrap(strings.Repeat(" ", 12), 12, "To do: "+r.Action))
		}
	}
}

// Sentence says a verdict in words.
func Sentence(v *placement.Verdict) string {
	starts := map[placement.Answer]string{
		placement.Yes: "a new pod may start there", placement.No: "no new pod starts there",
		placement.Unknown: "whether a new pod may start there is not known",
	}[v.New]
	if v.Avoided && v.New == placement.Yes {
		starts += " when no better node is left"
	}
	switch v.Running {
	case placement.Stays:
		return starts + "; one that runs there stays"
	case placement.Evicted:
		return starts + "; one that runs there is evicted at once"
	case placement.EvictedLater:
		return starts + fmt.Sprintf("; one that runs there is evicted after %d s", v.Seconds)
	case placement.Removed:
		return starts + "; one that runs there is removed by the DaemonSet controller"
	}
	return starts + "; what happens to one that runs there is not known"
}
