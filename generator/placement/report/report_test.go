package report_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/placement"
	"github.com/berth-dev/berth/generator/placement/report"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/toleration"
	"github.com/berth-dev/berth/internal/golden"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// home is the report on testdata/render.yaml with an intent, before and after its edits.
func home(t *testing.T, intent string) *report.Report {
	t.Helper()
	intents, err := v1alpha1.ReadTaintIntents(intent, read(t, intent))
	if err != nil {
		t.Fatal(err)
	}
	items, err := stream.ReadDocuments("render.yaml", read(t, "render.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Report{Intents: []string{intent}, Render: "render.yaml", Now: matrix(t, intents, items)}
	for _, one := range intents {
		outcome, err := toleration.Apply(one, items)
		if err != nil {
			t.Fatal(err)
		}
		r.Edits += len(outcome.Edits)
	}
	r.Then = matrix(t, intents, items)
	return r
}

func matrix(t *testing.T, intents []*v1alpha1.TaintIntent, items []*stream.Item) *placement.Matrix {
	t.Helper()
	c, err := placement.Read(placement.Input{Intents: intents, Render: items})
	if err != nil {
		t.Fatal(err)
	}
	return placement.NewMatrix(c)
}

func TestFormats(t *testing.T) {
	r := home(t, "taints.yaml")
	change := report.Change{Before: r, After: home(t, "taints-new.yaml")}
	formats := map[string]func(io.Writer) error{
		"matrix.txt":  r.Text,
		"cells.txt":   r.Table(report.All, report.All).Cells,
		"page.html":   r.HTML,
		"matrix.json": func(out io.Writer) error { return r.JSON(out, r.Table(report.All, report.All)) },
		"moves.txt":   change.Text,
		"moves.json":  change.JSON,
	}
	for name, write := range formats {
		t.Run(name, func(t *testing.T) {
			var out, again bytes.Buffer
			if err := write(&out); err != nil {
				t.Fatal(err)
			}
			if err := write(&again); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
				t.Error("a second run writes something else: ", err)
			}
			golden.Check(t, filepath.Join("testdata", name), out.Bytes())
			if filepath.Ext(name) == ".txt" {
				narrow(t, out.Bytes())
			}
		})
	}
}

// narrow holds text against 80 columns. Only a single word may be longer.
func narrow(t *testing.T, text []byte) {
	t.Helper()
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\n")
		if utf8.RuneCount(line) > 80 && len(bytes.Fields(line)) > 3 {
			t.Errorf("%d columns: %s", utf8.RuneCount(line), line)
		}
	}
}

func TestNothingMovesBetweenAReportAndItself(t *testing.T) {
	r := home(t, "taints.yaml")
	var out bytes.Buffer
	if err := (report.Change{Before: r, After: r}).Text(&out); err != nil {
		t.Fatal(err)
	}
	if want := "Nothing moves from render.yaml with taints.yaml to render.yaml with taints.yaml.\n"; out.String() != want {
		t.Errorf("got %s", out.String())
	}
}

// Both directions of a change list the same cells with the sides swapped.
func TestAChangeTheOtherWayRoundSwapsItsSides(t *testing.T) {
	a, b := home(t, "taints.yaml"), home(t, "taints-new.yaml")
	there, back := placement.Moves(a.Then, b.Then), placement.Moves(b.Then, a.Then)
	if len(there) == 0 || len(there) != len(back) {
		t.Fatalf("%d moves there, %d back", len(there), len(back))
	}
	for i := range there {
		from, to := there[i].States()
		backFrom, backTo := back[i].States()
		if there[i].Workload != back[i].Workload || there[i].Node != back[i].Node || from != backTo || to != backFrom {
			t.Errorf("%v against %v", there[i], back[i])
		}
	}
}

// Names and values of a render are text on the page, whatever they hold.
func TestThePageIsNotToBeBrokenOutOf(t *testing.T) {
	const evil = "</script><img src=x onerror=alert(1)>"
	items, err := stream.ReadDocuments("render.yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: '"+evil+"'}\nspec: {nodeSelector: {a: '${x}"+evil+"'}}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := matrix(t, nil, items)
	var out bytes.Buffer
	if err := (&report.Report{Render: evil, Now: m, Then: m}).HTML(&out); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out.Bytes(), []byte("<img")) || bytes.Count(out.Bytes(), []byte("</script>")) != 2 {
		t.Error("what a render holds became markup")
	}
	if !bytes.Contains(out.Bytes(), []byte("nodeSelector asks for a=")) {
		t.Error("the reason is lost")
	}
}
