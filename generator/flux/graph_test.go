package flux

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// graphOf reads a checkout whose entrypoint declares Kustomizations in one line each: name, then what is in its spec.
func graphOf(t *testing.T, lines ...string) *Graph {
	t.Helper()
	text := ""
	for _, line := range lines {
		name, spec, _ := strings.Cut(line, " ")
		text += fmt.Sprintf(`
-- dev/%[1]s.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %[1]s, namespace: flux-system}
spec: {path: ./%[1]s, sourceRef: {kind: GitRepository, name: flux-system}%[2]s}
-- %[1]s/config.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: %[1]s}
`, name, spec)
	}
	return readEnv(t, openText(t, text), Options{Path: "dev"}).Graph()
}

func order(g *Graph) string {
	waves := make([]string, 0, len(g.Nodes))
	for _, n := range g.Nodes {
		mark := ""
		if n.Blocked {
			mark = "!"
		}
		waves = append(waves, fmt.Sprintf("%d:%s%s", n.Wave, n.Name, mark))
	}
	return strings.Join(waves, " ")
}

func TestTheOrderFollowsDependsOn(t *testing.T) {
	cases := []struct {
		name  string
		lines []string
		want  string
		state EdgeState
	}{
		{
			"a chain", []string{"c , dependsOn: [{name: b}]", "b , dependsOn: [{name: a}]", "a"},
			"0:flux-system 1:a 2:b 3:c", EdgeOK,
		},
		{
			"the longest way counts", []string{"a", "b , dependsOn: [{name: a}]", "c , dependsOn: [{name: a}, {name: b}]"},
			"0:flux-system 1:a 2:b 3:c", EdgeOK,
		},
		{
			"what is missing blocks all behind it", []string{"a , dependsOn: [{name: nowhere}]", "b , dependsOn: [{name: a}]", "c"},
			"0:flux-system 1:a! 1:c 2:b!", EdgeMissing,
		},
		{
			"another namespace is another Kustomization", []string{"a", "b , dependsOn: [{name: a, namespace: other}]"},
			"0:flux-system 1:a 1:b!", EdgeMissing,
		},
		{
			"what is suspended blocks", []string{"a , suspend: true", "b , dependsOn: [{name: a}]"},
			"0:flux-system 1:a 2:b!", EdgeSuspended,
		},
		{
			"a readyExpr needs its dependency to be there", []string{"b , dependsOn: [{name: nowhere, readyExpr: 'true'}]"},
			"0:flux-system 1:b!", EdgeMissing,
		},
		{
			"a readyExpr may let it pass", []string{"a , suspend: true", "b , dependsOn: [{name: a, readyExpr: 'true'}]"},
			"0:flux-system 1:a 2:b", EdgeSuspended,
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			g := graphOf(t, tc.lines...)
			if got := order(g); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			if len(g.Cycles) > 0 {
				t.Errorf("got cycles %v", g.Cycles)
			}
			if !slices.ContainsFunc(g.Edges, func(e Edge) bool { return e.State == tc.state }) {
				t.Errorf("no edge is %s: %v", tc.state, g.Edges)
			}
		})
	}
}

func TestCyclesAreFound(t *testing.T) {
	cases := []struct {
		name  string
		lines []string
		want  string
	}{
		{"of one", []string{"a , dependsOn: [{name: a}]"}, "[[flux-system/a]]"},
		{"of two", []string{"a , dependsOn: [{name: b}]", "b , dependsOn: [{name: a}]", "c , dependsOn: [{name: a}]"}, "[[flux-system/a flux-system/b]]"},
		{
			"two of them", []string{
				"d , dependsOn: [{name: c}]", "c , dependsOn: [{name: d}]", "a , dependsOn: [{name: b}]", "b , dependsOn: [{name: a}]",
			}, "[[flux-system/a flux-system/b] [flux-system/c flux-system/d]]",
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			g := graphOf(t, tc.lines...)
			if got := fmt.Sprint(g.Cycles); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			for _, n := range g.Nodes {
				if n.Blocked != (n.Name != "flux-system") {
					t.Errorf("%s: blocked is %v", n.Name, n.Blocked)
				}
			}
		})
	}
}

// A Kustomization that waits for its objects, one of which depends on it, never gets ready.
const nested = `
-- dev/parent.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: parent, namespace: flux-system}
spec: {path: ./parent, sourceRef: {kind: GitRepository, name: flux-system}, wait: WAIT}
-- dev/after.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: after, namespace: flux-system}
spec: {path: ./after, sourceRef: {kind: GitRepository, name: flux-system}, dependsOn: [{name: parent}]}
-- parent/child.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: child, namespace: flux-system}
spec: {path: ./child, sourceRef: {kind: GitRepository, name: flux-system}, wait: true, dependsOn: [DEPENDS]}
-- child/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: child}}
-- after/config.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: after}}
`

func TestAChildThatDependsOnAParentThatWaitsIsACycle(t *testing.T) {
	for wait, want := range map[string]string{"true": "[[flux-system/child flux-system/parent]]", "false": "[]"} {
		text := strings.NewReplacer("WAIT", wait, "DEPENDS", "{name: parent}").Replace(nested)
		g := readEnv(t, openText(t, text), Options{Path: "dev"}).Graph()
		if got := fmt.Sprint(g.Cycles); got != want {
			t.Errorf("wait: %s: got %s, want %s", wait, got, want)
		}
	}
}

func TestStallsFollowDependenciesParentsAndHealth(t *testing.T) {
	text := strings.NewReplacer("WAIT", "true", "DEPENDS", "").Replace(nested)
	g := readEnv(t, openText(t, text), Options{Path: "dev"}).Graph()
	cases := []struct{ id, held, notReady string }{
		// The parent is applied but waits for the child; what depends on the parent is not applied.
		{"child", "after behind parent (dependsOn)", "parent behind child (wait)"},
		// Everything inside is there already.
		{"parent", "after behind parent (dependsOn)", ""},
		{"after", "", ""},
		{"nowhere", "", ""},
	}
	for _, tc := range cases {
		s := g.Stalls(ID{"flux-system", tc.id})
		if got := tell(s.Held); got != tc.held {
			t.Errorf("%s: held: got %q, want %q", tc.id, got, tc.held)
		}
		if got := tell(s.NotReady); got != tc.notReady {
			t.Errorf("%s: not ready: got %q, want %q", tc.id, got, tc.notReady)
		}
		if tc.held != "" && (len(s.Objects) != 1 || s.Objects[0].Name != "after") {
			t.Errorf("%s: got objects %v", tc.id, s.Objects)
		}
	}
}

func TestWhatDoesNotWaitHasNotAppliedWhatItDeclaresWhenItIsNotReady(t *testing.T) {
	for wait, want := range map[string]string{
		"true":  "after behind parent (dependsOn)",
		"false": "after behind parent (dependsOn), child behind parent (inside)",
	} {
		text := strings.NewReplacer("WAIT", wait, "DEPENDS", "").Replace(nested)
		g := readEnv(t, openText(t, text), Options{Path: "dev"}).Graph()
		if got := tell(g.Stalls(ID{"flux-system", "parent"}).Held); got != want {
			t.Errorf("wait %s: got %q, want %q", wait, got, want)
		}
		if got := tell(g.Stalls(ID{"flux-system", "flux-system"}).Held); !strings.Contains(got, "parent behind flux-system (inside)") {
			t.Errorf("wait %s: behind the entrypoint is %q", wait, got)
		}
	}
}

func TestWhatIsInsideSomethingThatIsNotAppliedIsNotApplied(t *testing.T) {
	text := strings.NewReplacer("WAIT", "false", "DEPENDS", "").Replace(nested) + `
-- dev/first.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: first, namespace: flux-system}
spec: {path: ./after, sourceRef: {kind: GitRepository, name: flux-system}}
`
	text = strings.Replace(text, "wait: false}", "dependsOn: [{name: first}]}", 1)
	g := readEnv(t, openText(t, text), Options{Path: "dev"}).Graph()
	want := "parent behind first (dependsOn), after behind parent (dependsOn), child behind parent (inside)"
	if got := tell(g.Stalls(ID{"flux-system", "first"}).Held); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAReadyExprMakesAStallUncertain(t *testing.T) {
	g := graphOf(t, "a", "b , dependsOn: [{name: a, readyExpr: 'true'}]", "c , dependsOn: [{name: b}]", "d , dependsOn: [{name: a}]")
	for _, s := range g.Stalls(ID{"flux-system", "a"}).Held {
		if s.Maybe != (s.ID.Name != "d") {
			t.Errorf("%s: maybe is %v", s.ID, s.Maybe)
		}
	}
}

func TestAHealthCheckOfAKustomizationIsWaitedFor(t *testing.T) {
	text := strings.NewReplacer("wait: WAIT", "healthChecks: [{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, name: child, namespace: flux-system}]", "DEPENDS", "").Replace(nested)
	g := readEnv(t, openText(t, text), Options{Path: "dev"}).Graph()
	if got := tell(g.Stalls(ID{"flux-system", "child"}).NotReady); got != "parent behind child (wait)" {
		t.Errorf("got %q", got)
	}
}

func tell(all []Stalled) string {
	told := make([]string, 0, len(all))
	for _, s := range all {
		told = append(told, fmt.Sprintf("%s behind %s (%s)", s.ID.Name, s.Behind.Name, s.Because))
	}
	return strings.Join(told, ", ")
}
