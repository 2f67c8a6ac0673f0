package placement

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMovesAreTheCellsWhoseStateDiffers(t *testing.T) {
	web := podsOf("Deployment", "containers: []")
	cases := map[string]struct {
		before, after string
		want          []string
	}{
		"nothing differs":            {web, web, nil},
		"only the reasons differ":    {web, podsOf("Deployment", "schedulerName: other"), nil},
		"a toleration opens a node":  {web, podsOf("Deployment", "tolerations: [{key: berth.dev/wsl, operator: Exists}]"), []string{"Deployment apps/web flaky no>yes"}},
		"and its removal closes it":  {podsOf("Deployment", "tolerations: [{key: berth.dev/wsl, operator: Exists}]"), web, []string{"Deployment apps/web flaky yes>no"}},
		"a workload that is removed": {web, "", []string{"Deployment apps/web flaky no>-", "Deployment apps/web good yes>-", "Deployment apps/web gpu evict>-", "Deployment apps/web slow avoid>-", "Deployment apps/web spare yes>-"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, m := range Moves(NewMatrix(read(t, home, c.before, "")), NewMatrix(read(t, home, c.after, ""))) {
				from, to := m.States()
				got = append(got, m.Workload+" "+m.Node+" "+from+">"+to)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
