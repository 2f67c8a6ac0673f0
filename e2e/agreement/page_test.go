package agreement_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/placement/placementtest"
	"github.com/berth-dev/berth/internal/golden"
)

const (
	page  = "../../docs/placement-agreement.md"
	begin = "<!-- the counts: go test ./agreement -update -->\n"
	end   = "<!-- end of the counts -->\n"
)

// least is how many pairs of each answer each class must have, and each kind of fate.
const (
	least      = 4
	leastFates = 20
)

// tally counts the answers of some pairs.
type tally struct{ pairs, starts, not, past, refused, stays, evicted, later, pending, removed int }

func (c *tally) add(w *workload, node string, v verdict) {
	c.pairs++
	switch {
	case v.refused():
		c.refused++
		return
	case w.past(node):
		c.past++
	case v.New == "yes":
		c.starts++
	default:
		c.not++
	}
	if !w.canRun(node) {
		return
	}
	switch v.Running {
	case "stays":
		c.stays++
	case "evicted":
		c.evicted++
	case "evicted-later":
		if v.Seconds > placementtest.Soon {
			c.pending++
		} else {
			c.later++
		}
	case "removed":
		c.removed++
	}
}

// group is what is counted together.
type group struct{ class, kind string }

// counts are the tallies by class and kind; those of all kinds together are under no kind. onTaints counts only nodes with
// taints that keep pods away.
type counts struct {
	all, onTaints map[group]*tally
}

// count counts pairs on which berth and the cluster agree.
func (c *comparison) count() counts {
	n := counts{map[group]*tally{}, map[group]*tally{}}
	for _, w := range c.workloads {
		for _, node := range c.nodes {
			v := c.said[pair{w.name, node.Name}]
			for _, g := range []group{{w.class.Name, w.kind}, {w.class.Name, ""}, {"", w.kind}, {"", ""}} {
				count(n.all, g).add(w, node.Name, v)
				if hard(node) {
					count(n.onTaints, g).add(w, node.Name, v)
				}
			}
		}
	}
	return n
}

func count(in map[group]*tally, g group) *tally {
	if in[g] == nil {
		in[g] = &tally{}
	}
	return in[g]
}

// covered fails when a class has too few answers of one sort to show anything.
func (n counts) covered(t *testing.T, classes []placementtest.Class) {
	t.Helper()
	for _, class := range classes {
		c := *count(n.all, group{class.Name, ""})
		if class.Taints {
			c = *count(n.onTaints, group{class.Name, ""})
		}
		switch {
		case class.Refused:
			enough(t, class.Name+": refused", c.refused, least)
			continue
		case class.Name == "no toleration":
			c.starts = count(n.all, group{class.Name, ""}).starts // only where there is no taint
		}
		if !class.Never {
			enough(t, class.Name+": a new pod starts", c.starts+c.past, least)
		}
		if !class.Always {
			enough(t, class.Name+": a new pod does not start", c.not, least)
		}
	}
	total := count(n.onTaints, group{})
	enough(t, "pairs", count(n.all, group{}).pairs, 1500)
	enough(t, "stays on a node with taints", total.stays, leastFates)
	enough(t, "evicted", total.evicted, leastFates)
	enough(t, "evicted later", total.later, leastFates)
	enough(t, "to be evicted later", total.pending, leastFates)
	enough(t, "removed", count(n.all, group{}).removed, leastFates)
}

func enough(t *testing.T, what string, got, want int) {
	t.Helper()
	if got < want {
		t.Errorf("%s: %d pairs, want %d at least: the table shows too little", what, got, want)
	}
}

// markdown writes the counts as a table.
func (n counts) markdown() string {
	var out strings.Builder
	out.WriteString("| class | kind | pairs | starts | does not | past the scheduler | refused | stays | evicted | later | not yet | removed |\n")
	out.WriteString("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n")
	row := func(class, kind string, c *tally) {
		fmt.Fprintf(&out, "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n",
			class, kind, c.pairs, c.starts, c.not, c.past, c.refused, c.stays, c.evicted, c.later, c.pending, c.removed)
	}
	for _, class := range placementtest.Classes() {
		for _, kind := range kinds {
			row(class.Name, kind.name, count(n.all, group{class.Name, kind.name}))
		}
	}
	for _, kind := range kinds {
		row("**all**", kind.name, count(n.all, group{"", kind.name}))
	}
	row("**all**", "", count(n.all, group{}))
	return out.String()
}

// writePage holds the counts against those in the page, or with -update writes them there.
func writePage(t *testing.T, n counts) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the counts, between %q and %q", page, begin, end)
	}
	golden.Check(t, page, before+begin+n.markdown()+end+after)
}
