package report

import (
	_ "embed"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/generator/placement"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// page is parsed once: a fault in it is a fault of the program.
var page = template.Must(template.New("page").Parse(pageHTML))

// pageData is what the page is filled with.
type pageData struct {
	Headline string
	Columns  []pageColumn
	Rows     []pageRow
	States   []pageState
	Unseen   []string
	Verdicts []pageVerdict
	Moved    bool
	CSS      template.CSS
	JS       template.JS
}

type pageColumn struct {
	Letter, Names, Short, About string
	Count                       int
}

// pageRow is a row. Its cells are HTML already: a large matrix has a million of them, of which few differ.
type pageRow struct {
	Name, Source string
	Cells        template.HTML
}

type pageState struct{ Kind, State, Meaning string }

// pageVerdict is what the page shows when a cell is opened.
type pageVerdict struct {
	State    string             `json:"state"`
	Sentence string             `json:"sentence"`
	Reasons  []placement.Reason `json:"reasons"`
}

// HTML writes a page that holds everything it needs and asks nothing of any other place.
func (r *Report) HTML(out io.Writer) error {
	t := r.Table(All, All)
	data := pageData{Headline: r.Headline(), CSS: template.CSS(pageCSS), JS: template.JS(pageJS), Moved: !r.asIs() && r.Edits > 0}
	for _, c := range t.Columns {
		data.Columns = append(data.Columns, pageColumn{c.Letter, c.Names(), c.short(), c.About(), len(c.Nodes)})
	}
	cells := cellWriter{data: &data, index: map[*placement.Verdict]int{}, known: map[Cell]string{}}
	for _, row := range t.Rows {
		data.Rows = append(data.Rows, pageRow{Name: row.Workload.String(), Source: row.Workload.Source.String(), Cells: cells.row(row)})
	}
	for _, state := range t.states() {
		data.States = append(data.States, pageState{class(state), state, Meaning(state)})
	}
	for _, o := range r.Then.Unseen {
		data.Unseen = append(data.Unseen, o.String())
	}
	return page.Execute(out, data)
}

// cellWriter writes cells, each that differs once.
type cellWriter struct {
	data  *pageData
	index map[*placement.Verdict]int
	known map[Cell]string
}

func (w *cellWriter) row(row Row) template.HTML {
	var b strings.Builder
	for _, c := range row.Cells {
		text, known := w.known[c]
		if !known {
			text = w.cell(c)
			w.known[c] = text
		}
		b.WriteString(text)
	}
	return template.HTML(b.String())
}

// cell writes one cell: the class of its state, and the verdicts that it opens.
func (w *cellWriter) cell(c Cell) string {
	class := class(c.Then.State())
	verdicts := strconv.Itoa(w.verdict(c.Then))
	if c.Moved() {
		class += " moved"
		verdicts = strconv.Itoa(w.verdict(c.Now)) + " " + verdicts
	}
	return `<td class="` + class + `" data-v="` + verdicts + `"><i>` + template.HTMLEscapeString(c.State()) + "</i>"
}

func (w *cellWriter) verdict(v *placement.Verdict) int {
	at, known := w.index[v]
	if !known {
		at = len(w.data.Verdicts)
		w.index[v] = at
		w.data.Verdicts = append(w.data.Verdicts, pageVerdict{v.State(), Sentence(v), v.Reasons})
	}
	return at
}

// class names a state where only letters are good.
func class(state string) string {
	switch kind := kindOf(state); kind {
	case "?":
		return "unknown"
	case "Ns":
		return "later"
	default:
		return kind
	}
}

// short lists the first nodes of a column.
func (c Column) short() string {
	const most = 3
	if len(c.Nodes) <= most {
		return c.Names()
	}
	first := Column{Nodes: c.Nodes[:most-1]}
	return strings.Join([]string{first.Names(), "and", strconv.Itoa(len(c.Nodes) - most + 1), "more"}, " ")
}
