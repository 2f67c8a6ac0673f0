package report

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Text writes the matrix for a terminal or a pager: at most 80 columns, but for names that are longer.
func (r *Report) Text(out io.Writer) error {
	t := r.Table(All, All)
	var b strings.Builder
	b.WriteString(wrap("", 0, r.Headline()) + "\n")
	legend(&b, t.Columns)
	t.write(&b)
	r.meanings(&b, t)
	r.unseen(&b)
	_, err := io.WriteString(out, b.String())
	return err
}

// legend says which nodes the letters stand for.
func legend(b *strings.Builder, columns []Column) {
	wide := 1
	for _, c := range columns {
		wide = max(wide, len(c.Letter))
	}
	for _, c := range columns {
		b.WriteString(wrap(pad(c.Letter, wide)+"  ", wide+2, c.Names()+": "+c.About()))
	}
	b.WriteString("\n")
}

// write writes the rows, and all of them again for each block of columns that fits into a line.
func (t *Table) write(b *strings.Builder) {
	if len(t.Rows) == 0 {
		b.WriteString("There is no workload in it.\n\n")
		return
	}
	name := 0
	for _, row := range t.Rows {
		name = max(name, utf8.RuneCountInString(row.Workload.String())+2)
	}
	wide := t.widths()
	all := 0
	for _, w := range wide {
		all += w
	}
	name = min(name, max(width-all, width/2)) // a longer name stands on a line of its own
	for from := 0; from < len(wide); {
		to, used := from, name
		for to < len(wide) && (to == from || used+wide[to] <= width+gap) {
			used += wide[to]
			to++
		}
		t.block(b, name, wide, from, to)
		from = to
	}
}

// gap is the space behind a column, which the last one does not need.
const gap = 2

// widths returns how much room each column takes.
func (t *Table) widths() []int {
	wide := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		wide[i] = max(3, len(c.Letter)) + gap
		for _, row := range t.Rows {
			wide[i] = max(wide[i], len(row.Cells[i].State())+gap)
		}
	}
	return wide
}

func (t *Table) block(b *strings.Builder, name int, wide []int, from, to int) {
	line := pad("", name)
	for i := from; i < to; i++ {
		line += pad(t.Columns[i].Letter, wide[i])
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	for _, row := range t.Rows {
		line := row.Workload.String()
		if utf8.RuneCountInString(line)+gap > name {
			b.WriteString(line + "\n")
			line = ""
		}
		line = pad(line, name)
		for i := from; i < to; i++ {
			line += pad(row.Cells[i].State(), wide[i])
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	b.WriteString("\n")
}

// meanings explains the states that occur.
func (r *Report) meanings(b *strings.Builder, t *Table) {
	used := t.states()
	for _, m := range meanings {
		if slices.Contains(used, m.state) {
			b.WriteString(wrap(pad(m.state, 7), 7, m.meaning))
		}
	}
	if len(used) > 0 {
		b.WriteString(wrap("", 0, "Reasons of one cell: --workload Kind/namespace/name --node NAME"))
	}
}

// states lists the kinds of states in a table.
func (t *Table) states() []string {
	used := map[string]bool{}
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			used[kindOf(c.Now.State())], used[kindOf(c.Then.State())] = true, true
		}
	}
	var all []string
	for _, m := range meanings {
		if used[m.state] {
			all = append(all, m.state)
		}
	}
	return all
}

// unseen lists what makes workloads that are not in the render.
func (r *Report) unseen(b *strings.Builder) {
	if len(r.Then.Unseen) == 0 {
		return
	}
	names := make([]string, len(r.Then.Unseen))
	for i, o := range r.Then.Unseen {
		names[i] = o.String()
	}
	b.WriteString("\n" + wrap("", 2, "Not seen, since their pods are made elsewhere: "+strings.Join(names, ", ")+"."))
}
