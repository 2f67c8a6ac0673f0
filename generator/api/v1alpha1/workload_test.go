package v1alpha1

import "testing"

func TestAWorkloadMatchesWhatItNames(t *testing.T) {
	exporter := Workload{Kind: "DaemonSet", Namespace: "observability", Name: "node-exporter"}
	app := map[string]string{"app": "x", "tier": "web"}
	for name, c := range map[string]struct {
		workload Workload
		object   [4]string // apiVersion, kind, namespace, name
		labels   map[string]string
		want     bool
	}{
		"exactly":                                  {exporter, [4]string{"apps/v1", "DaemonSet", "observability", "node-exporter"}, nil, true},
		"not another kind":                         {exporter, [4]string{"apps/v1", "Deployment", "observability", "node-exporter"}, nil, false},
		"not another namespace":                    {exporter, [4]string{"apps/v1", "DaemonSet", "default", "node-exporter"}, nil, false},
		"not an object without a namespace":        {exporter, [4]string{"apps/v1", "DaemonSet", "", "node-exporter"}, nil, false},
		"not a name that only begins alike":        {exporter, [4]string{"apps/v1", "DaemonSet", "observability", "node-exporter-2"}, nil, false},
		"the given apiVersion":                     {Workload{APIVersion: "apps/v1", Kind: "DaemonSet", Name: "a"}, [4]string{"apps/v1", "DaemonSet", "", "a"}, nil, true},
		"no other apiVersion":                      {Workload{APIVersion: "apps/v1", Kind: "DaemonSet", Name: "a"}, [4]string{"apps/v2", "DaemonSet", "", "a"}, nil, false},
		"any namespace when none is given":         {Workload{Kind: "Job", Name: "a"}, [4]string{"batch/v1", "Job", "x", "a"}, nil, true},
		"an object without a namespace with a *":   {Workload{Kind: "Job", Namespace: "*", Name: "a"}, [4]string{"batch/v1", "Job", "", "a"}, nil, true},
		"a pattern at the end":                     {Workload{Kind: "Job", Name: "helm-*"}, [4]string{"batch/v1", "Job", "x", "helm-install"}, nil, true},
		"a pattern at both ends":                   {Workload{Kind: "Job", Name: "*install*"}, [4]string{"batch/v1", "Job", "x", "helm-install-1"}, nil, true},
		"a pattern only in full":                   {Workload{Kind: "Job", Name: "helm-*-x"}, [4]string{"batch/v1", "Job", "x", "helm-x"}, nil, false},
		"a dot only as a dot":                      {Workload{Kind: "Job", Name: "a.b"}, [4]string{"batch/v1", "Job", "x", "axb"}, nil, false},
		"labels that are all there":                {Workload{Kind: "Pod", Labels: map[string]string{"app": "x"}}, [4]string{"v1", "Pod", "x", "a"}, app, true},
		"no labels of another value":               {Workload{Kind: "Pod", Labels: map[string]string{"app": "y"}}, [4]string{"v1", "Pod", "x", "a"}, app, false},
		"no missing labels":                        {Workload{Kind: "Pod", Labels: map[string]string{"app": "x", "a": ""}}, [4]string{"v1", "Pod", "x", "a"}, app, false},
		"no labels as patterns":                    {Workload{Kind: "Pod", Labels: map[string]string{"app": "*"}}, [4]string{"v1", "Pod", "x", "a"}, app, false},
		"no unresolved name, not even with a *":    {Workload{Kind: "Pod", Name: "*"}, [4]string{"v1", "Pod", "x", "${APP}"}, nil, false},
		"no unresolved namespace":                  {Workload{Kind: "Pod", Namespace: "*", Name: "a"}, [4]string{"v1", "Pod", "${NS}", "a"}, nil, false},
		"no unresolved namespace of the same text": {Workload{Kind: "Pod", Namespace: "${NS}", Name: "a"}, [4]string{"v1", "Pod", "${NS}", "a"}, nil, false},
		"no unresolved label":                      {Workload{Kind: "Pod", Labels: map[string]string{"app": "${A}"}}, [4]string{"v1", "Pod", "x", "a"}, map[string]string{"app": "${A}"}, false},
		"an unresolved value it does not look at":  {Workload{Kind: "Pod", Name: "a"}, [4]string{"v1", "Pod", "${NS}", "a"}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := c.object
			if got := c.workload.Matches(o[0], o[1], o[2], o[3], c.labels); got != c.want {
				t.Errorf("%v matches %v %v: %v", c.workload, o, c.labels, got)
			}
		})
	}
}

func TestAStarStandsForAnyNumberOfCharacters(t *testing.T) {
	for _, c := range []struct {
		pattern, value string
		want           bool
	}{
		{"*", "", true}, {"*", "abc", true}, {"**", "a", true}, {"", "", true}, {"", "a", false},
		{"a*", "a", true}, {"a*", "ba", false}, {"*a", "ba", true}, {"*a", "ab", false},
		{"a*a", "a", false}, {"a*a", "aa", true}, {"a*b*c", "a-b-c", true}, {"a*b*c", "a-c-b-c", true}, {"a*b*c", "acb", false},
		{"ab*ba", "aba", false}, {"*ab*ab*", "ab", false}, {"*ab*ab*", "xabyabz", true},
	} {
		if got := glob(c.pattern, c.value); got != c.want {
			t.Errorf("glob(%q, %q) is %v", c.pattern, c.value, got)
		}
	}
}

func TestAWorkloadIsPrintedAsPeopleNameIt(t *testing.T) {
	for want, w := range map[string]Workload{
		"DaemonSet observability/node-exporter": {Kind: "DaemonSet", Namespace: "observability", Name: "node-exporter"},
		"Deployment plex":                       {Kind: "Deployment", Name: "plex"},
		"apps/v1 Deployment media/*":            {APIVersion: "apps/v1", Kind: "Deployment", Namespace: "media", Name: "*"},
		"Pod * [app=x,tier=web]":                {Kind: "Pod", Labels: map[string]string{"tier": "web", "app": "x"}},
	} {
		if got := w.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAPatternCoversTheNarrowerOne(t *testing.T) {
	for _, c := range []struct {
		wide, narrow Workload
		want         bool
	}{
		{Workload{Kind: "A", Name: "*"}, Workload{Kind: "A", Namespace: "n", Name: "x"}, true},
		{Workload{Kind: "A", Name: "*"}, Workload{Kind: "B", Name: "x"}, false},
		{Workload{Kind: "A", Name: "x-*"}, Workload{Kind: "A", Name: "x-y*"}, true},
		{Workload{Kind: "A", Name: "x-y*"}, Workload{Kind: "A", Name: "x-*"}, false},
		{Workload{Kind: "A", Namespace: "n", Name: "x"}, Workload{Kind: "A", Name: "x"}, false},
		{Workload{Kind: "A", Namespace: "*", Name: "x"}, Workload{Kind: "A", Name: "x"}, true},
		{Workload{Kind: "A", Labels: map[string]string{"a": "b"}}, Workload{Kind: "A", Name: "x"}, false},
		{Workload{Kind: "A", Name: "x"}, Workload{Kind: "A", Name: "x", Labels: map[string]string{"a": "b"}}, true},
		{Workload{Kind: "A", Name: "x"}, Workload{APIVersion: "g/v1", Kind: "A", Name: "x"}, true},
		{Workload{APIVersion: "g/v1", Kind: "A", Name: "x"}, Workload{Kind: "A", Name: "x"}, false},
	} {
		if got := c.wide.covers(c.narrow); got != c.want {
			t.Errorf("%v covers %v: %v", c.wide, c.narrow, got)
		}
	}
}
