package live

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// released plans the release of intents whose files are gone, and applies it.
func released(t *testing.T, c *Cluster, names ...string) *Plan {
	t.Helper()
	snapshot, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(snapshot, nil, PlanOptions{Release: names})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(t.Context(), p, func(Event) {}); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAnIntentWhoseFileIsGoneCanBeReleased(t *testing.T) {
	server, cluster := serve(t, homeNodes)
	putForeign(server, "kai-desktop-tower", "example.com/other")
	before := specOf(t, server, "kai-desktop-tower")
	applied(t, cluster, home, PlanOptions{})
	released(t, cluster, "home")
	if diff := cmp.Diff(before, specOf(t, server, "kai-desktop-tower")); diff != "" {
		t.Error(diff)
	}
	if p := released(t, cluster, "home"); !p.Empty() || outline(p) != "note nothing-to-release" {
		t.Errorf("again: %s", outline(p))
	}
}

func TestWhatAnotherIntentOwnsStaysWhenOneIsReleased(t *testing.T) {
	other := strings.Replace(home, "{name: home}", "{name: other}", 1)
	server, cluster := serve(t, homeNodes)
	applied(t, cluster, home, PlanOptions{})
	applied(t, cluster, other, PlanOptions{})
	p := released(t, cluster, "other")
	if diff := cmp.Diff(tainted, specOf(t, server, "kai-desktop-tower")); diff != "" {
		t.Error(diff)
	}
	if len(p.Notes) != 0 {
		t.Errorf("noted: %s", outline(p))
	}
}

func TestANameThatOwnsNothingIsNotedWithThoseThatDo(t *testing.T) {
	_, cluster := serve(t, homeNodes)
	applied(t, cluster, home, PlanOptions{})
	p := released(t, cluster, "hoem")
	if !p.Empty() || len(p.Notes) != 1 || p.Notes[0].Message != "no node has anything of the intent hoem; they have something of home" {
		t.Errorf("got %+v", p.Notes)
	}
}

func TestADiffNamesTheIntentThatIsNoMore(t *testing.T) {
	_, cluster := serve(t, homeNodes)
	applied(t, cluster, home, PlanOptions{})
	snapshot, err := cluster.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other := strings.NewReplacer("{name: home}", "{name: new}", "berth.dev/wsl", "berth.dev/new", "      taints: [wsl]\n", "").Replace(home)
	for _, f := range Compare(snapshot, readIntentsOf(t, other)).Findings {
		if f.Code == "owner-unknown" && strings.Contains(f.Message, "of the intent home") && strings.Contains(f.Action, "--release home") {
			return
		}
	}
	t.Error("nothing is said of the intent home")
}
