package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

// text is for a person at a terminal: the findings by file, then notes and what could not be seen in a few lines, then one
// line with all counts.
type text struct {
	out     *bufio.Writer
	options Options
	paint   painter
	file    string
	notes   []check.Finding
	any     bool
}

func newText(w io.Writer, o Options) Writer {
	o.Width = cmp.Or(o.Width, 80)
	return &text{out: bufio.NewWriter(w), options: o, paint: painter(o.Color), file: "\x00"}
}

// Write implements Writer.
func (t *text) Write(f check.Finding) error {
	if f.Severity == finding.Info && !t.options.Verbose {
		t.notes = append(t.notes, f)
		return nil
	}
	place := f.Where()
	if f.File == "" {
		place = "(" + strings.Join(f.Environments, ", ") + ")"
	}
	fmt.Fprintf(t.out, "%s %s\n", t.paint.bold(place), t.paint.severity(f.Severity, string(f.Severity)+" ["+f.Code+"]"))
	subject := ""
	if f.Object != nil {
		subject = f.Object.String()
		if f.Field != "" {
			subject += " " + f.Field
		}
		t.wrap("  ", "  ", subject)
	}
	t.wrap("  ", "  ", sentence(f.Message))
	if f.Action != "" {
		t.wrap("  -> ", "     ", sentence(f.Action))
	}
	fmt.Fprintln(t.out)
	t.any = true
	return t.out.Flush()
}

// Flush implements Writer.
func (t *text) Flush(r *check.Result) error {
	t.writeNotes()
	t.writeUnseen(r)
	fmt.Fprintln(t.out, t.lastLine(r)) // one line whatever its width, for those who read the last line alone
	return t.out.Flush()
}

// writeNotes says what the notes are about, without each of them.
func (t *text) writeNotes() {
	type group struct{ code, environments string }
	var order []group
	count := map[group]int{}
	for _, f := range t.notes {
		g := group{f.Code, strings.Join(f.Environments, ", ")}
		if count[g] == 0 {
			order = append(order, g)
		}
		count[g]++
	}
	for _, g := range order {
		in := ""
		if g.environments != "" {
			in = " in " + g.environments
		}
		t.wrap("", "  ", fmt.Sprintf("%s [%s]%s: -v shows them.", counted(count[g], "note", "notes"), g.code, in))
	}
	if len(order) > 0 {
		fmt.Fprintln(t.out)
	}
}

const shown = 5 // of what could not be seen, by kind, unless everything is asked for

func (t *text) writeUnseen(r *check.Result) {
	names, byKind := kinds(r.Unseen)
	if len(names) == 0 {
		return
	}
	fmt.Fprintln(t.out, t.paint.bold("Not seen, and so not checked:"))
	for _, name := range names {
		all := byKind[name]
		if t.options.Verbose {
			for _, u := range all {
				t.wrap("  "+name+": ", "    ", u.Subject+" ("+u.String()+"): "+u.Reason)
			}
			continue
		}
		var subjects []string
		for _, u := range all[:min(len(all), shown)] {
			subjects = append(subjects, u.Subject)
		}
		line := fmt.Sprintf("%s: %s", counted(len(all), name, name), strings.Join(subjects, ", "))
		if len(all) > shown {
			line += fmt.Sprintf(" and %d more", len(all)-shown)
		}
		t.wrap("  ", "    ", line+" ("+all[0].Reason+")")
	}
	fmt.Fprintln(t.out)
}

// lastLine counts everything.
func (t *text) lastLine(r *check.Result) string {
	parts := []string{totals(r) + " in " + looked(r)}
	if n := len(r.Unseen); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not seen", n))
	}
	if n := len(r.Ignored); n > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored", n))
	}
	if n := len(r.Baseline); n > 0 {
		parts = append(parts, fmt.Sprintf("%d in the baseline", n))
	}
	if r.Before > 0 {
		parts = append(parts, fmt.Sprintf("%d not of this change", r.Before))
	}
	return strings.Join(parts, "; ")
}

// wrap writes a text in lines of the width. A word that is longer stands on a line of its own.
func (t *text) wrap(first, rest, s string) {
	line, indent := first, len(first)
	for _, word := range strings.Fields(s) {
		switch {
		case len(line) == indent:
			line += word
		case len([]rune(line))+1+len([]rune(word)) > t.options.Width:
			fmt.Fprintln(t.out, strings.TrimRight(line, " "))
			line, indent = rest+word, 0
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(t.out, strings.TrimRight(line, " "))
}

// painter colours text, or does not.
type painter bool

func (p painter) bold(s string) string { return p.with("1", s) }

func (p painter) severity(severity finding.Severity, s string) string {
	return p.with(map[finding.Severity]string{finding.Error: "31", finding.Warning: "33", finding.Info: "36"}[severity], s)
}

func (p painter) with(code, s string) string {
	if !p {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
