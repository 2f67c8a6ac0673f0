package live

import (
	"strings"
	"testing"
)

func TestWhatBerthWouldNotHaveWrittenIsNotGuessedAt(t *testing.T) {
	cases := map[string]string{
		"no JSON":                         "home",
		"nothing":                         "",
		"null":                            "null",
		"a list":                          "[]",
		"cut off":                         `{"home":{"taints":["a:NoSchedule"]`,
		"something behind it":             `{"home":{}} {}`,
		"a field that nobody knows":       `{"home":{"taint":["a:NoSchedule"]}}`,
		"a taint as kubectl prints it":    `{"home":{"taints":["a=b:NoSchedule:x"]}}`,
		"a taint without an effect":       `{"home":{"taints":["a"]}}`,
		"an effect that there is not":     `{"home":{"taints":["a:noschedule"]}}`,
		"one taint instead of a list":     `{"home":{"taints":"a:NoSchedule"}}`,
		"labels that are no list of keys": `{"home":{"labels":{"a":"b"}}}`,
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			own, err := readOwnership("n", map[string]string{Annotation: text})
			if err == nil {
				t.Fatalf("read as %v", own)
			}
			if !strings.Contains(err.Error(), "node n: the annotation berth.dev/owned is not what berth writes") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestADamagedAnnotationStopsItsNodeAndNoOther(t *testing.T) {
	damaged := `
---
apiVersion: v1
kind: Node
metadata: {name: kai-broken, annotations: {berth.dev/owned: "null"}}
spec: {taints: [{key: berth.dev/wsl, value: flaky, effect: NoSchedule}, {key: old, effect: NoSchedule}]}
`
	two := strings.Replace(home, "names: [kai-desktop-tower]", "names: [kai-broken, kai-desktop-tower]", 1)
	for _, options := range []PlanOptions{{}, {Remove: true}, {Release: []string{"old"}}} {
		server, cluster := serve(t, homeNodes+damaged)
		p := plan(t, cluster, two, options)
		step := p.Blocked()
		if step == nil || step.Node != "kai-broken" || step.Blockers[0].Code != "ownership-unreadable" {
			t.Fatalf("%v: %s", options, outline(p))
		}
		err := cluster.Apply(t.Context(), p, func(Event) {})
		if err == nil || !strings.Contains(err.Error(), "ownership-unreadable") && !strings.Contains(err.Error(), "is not what berth writes") {
			t.Errorf("%v: got %v", options, err)
		}
		if tainted := strings.Contains(specOf(t, server, "kai-desktop-tower"), "berth.dev/wsl"); tainted == options.Remove {
			t.Errorf("%v: the other node: %s", options, specOf(t, server, "kai-desktop-tower"))
		}
		if got := specOf(t, server, "kai-broken"); !strings.Contains(got, "key: old") {
			t.Errorf("%v: the broken node was changed: %s", options, got)
		}
	}
}
