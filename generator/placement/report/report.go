package report

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/generator/placement"
)

// Report is what there is to say about a render and some intents.
type Report struct {
	// Intents names the intent files, Render what was placed.
	Intents []string
	Render  string
	// Now is the render as it stands. Then is the same render once the intents' edits are made; the same as Now when
	// only the former was asked for.
	Now, Then *placement.Matrix
	// Edits counts the places that the intents' edits change.
	Edits int
}

// asIs says that no edits are looked at.
func (r *Report) asIs() bool { return r.Now == r.Then }

// Headline says in one sentence what the report is of, and in one what its cells show.
func (r *Report) Headline() string {
	what := fmt.Sprintf("%s of %s on %s.", count(len(r.Then.Workloads), "workload"), r.Render, count(len(r.Then.Nodes), "node"))
	return what + " " + r.shows()
}

func (r *Report) shows() string {
	by := strings.Join(r.Intents, ", ")
	switch {
	case len(r.Intents) == 0:
		return "Shown is the render as it stands; no intent was given."
	case r.asIs():
		return "Shown is the render as it stands, on nodes tainted as " + by + " says."
	case r.Edits == 0:
		return "Shown is the render as it stands: " + by + " has nothing to edit in it."
	}
	return fmt.Sprintf("Shown is the render once the edits of %s are made (%s); a cell such as no>yes is no as it stands and yes with them.", by, count(r.Edits, "place"))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// meanings explains the states, in the order in which they are listed.
var meanings = []struct{ state, meaning string }{
	{"yes", "a new pod may start there, and pods that run there stay"},
	{"avoid", "as yes, but the scheduler uses the node only when no better one is left"},
	{"Ns", "as yes, but pods are evicted after N seconds"},
	{"no", "no new pod starts there, and no taint evicts pods that run there"},
	{"evict", "no new pod starts there, and pods that run there are evicted"},
	{"?", "it depends on something that is not known"},
	{"-", "the workload or the node is not there"},
}

// Meaning explains a state; empty when there is no such state.
func Meaning(state string) string {
	for _, m := range meanings {
		if m.state == kindOf(state) {
			return m.meaning
		}
	}
	return ""
}

// kindOf makes one of all states with a number of seconds.
func kindOf(state string) string {
	if strings.HasSuffix(state, "s") && state != "yes" {
		return "Ns"
	}
	return state
}
