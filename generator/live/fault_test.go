package live

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/live/livetest"
)

func TestEveryErrorSaysWhatHelps(t *testing.T) {
	cases := map[string]struct {
		prepare func(*livetest.Server)
		want    []string
	}{
		"nodes may not be listed": {
			prepare: func(s *livetest.Server) { s.Deny("list", "nodes") },
			want:    []string{"reading nodes on http://127.0.0.1", `cannot list resource "nodes"`, `{apiGroups: [""], resources: [nodes], verbs: [list]}`},
		},
		"daemonsets may not be listed": {
			prepare: func(s *livetest.Server) { s.Deny("list", "daemonsets") },
			want:    []string{`{apiGroups: ["apps"], resources: [daemonsets], verbs: [list]}`},
		},
		"nodes may not be changed": {
			prepare: func(s *livetest.Server) { s.Deny("patch", "nodes") },
			want:    []string{"dry run", "changing node kai-desktop-tower", `verbs: [patch]`},
		},
		"the server is not there": {
			prepare: func(s *livetest.Server) { s.Close() },
			want:    []string{"reading nodes: cannot reach http://127.0.0.1", "connection refused", "--context"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			server, cluster := serve(t, homeNodes)
			c.prepare(server)
			snapshot, err := cluster.Read(t.Context())
			if err == nil {
				var p *Plan
				if p, err = NewPlan(snapshot, readIntentsOf(t, home), PlanOptions{}); err == nil {
					err = cluster.DryRun(t.Context(), p)
				}
			}
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\ndoes not say %s", err, want)
				}
			}
		})
	}
}
