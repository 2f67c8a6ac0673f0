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

type pageRow struct {
	Name, Source string
	Cells        []pageCell
}

// pageCell is a cell; Kind is the class of its state.
type pageCell struct {
	Kind, State string
	Now, Then   int
	Moved       bool
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
	index := map[*placement.Verdict]int{}
	for _, row := range t.Rows {
		data.Rows = append(data.Rows, data.row(row, index))
	}
	for _, state := range t.states() {
		data.States = append(data.States, pageState{class(state), state, Meaning(state)})
	}
	for _, o := range r.Then.Unseen {
		data.Unseen = append(data.Unseen, o.String())
	}
	return page.Execute(out, data)
}

func (d *pageData) row(row Row, index map[*placement.Verdict]int) pageRow {
	out := pageRow{Name: row.Workload.String(), Source: row.Workload.Source.String()}
	for _, c := range row.Cells {
		out.Cells = append(out.Cells, pageCell{
			Kind: class(c.Then.State()), State: c.State(), Moved: c.Moved(), Now: d.verdict(c.Now, index), Then: d.verdict(c.Then, index),
		})
	}
	return out
}

func (d *pageData) verdict(v *placement.Verdict, index map[*placement.Verdict]int) int {
	at, known := index[v]
	if !known {
		at = len(d.Verdicts)
		index[v] = at
		d.Verdicts = append(d.Verdicts, pageVerdict{v.State(), Sentence(v), v.Reasons})
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
