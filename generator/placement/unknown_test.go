package placement

import (
	"fmt"
	"strings"
	"testing"
)

// A ${...} is replaced after Berth is done: what depends on it is unknown, and nothing else is.
func TestVariablesAreUnknownAndNothingElse(t *testing.T) {
	cases := map[string]struct{ spec, want string }{
		"a toleration's key may be any":           {"tolerations: [{key: '${K}', operator: Exists}]", "good=yes flaky=? gpu=?"},
		"its effect may be any":                   {"tolerations: [{key: berth.dev/wsl, operator: Exists, effect: '${E}'}]", "good=yes flaky=? gpu=evict"},
		"a known effect that differs is enough":   {"tolerations: [{key: '${K}', operator: Exists, effect: NoExecute}]", "good=yes flaky=no gpu=?"},
		"a known key that differs is enough":      {"tolerations: [{key: other, value: '${V}'}]", "good=yes flaky=no gpu=evict"},
		"another toleration may open it anyway":   {"tolerations: [{key: '${K}'}, {operator: Exists, effect: NoSchedule}]", "good=yes flaky=yes gpu=?"},
		"a value may be the taint's":              {"tolerations: [{key: berth.dev/wsl, value: '${V}'}]", "good=yes flaky=? gpu=evict"},
		"the whole list":                          {"tolerations: ${LIST}", "good=yes flaky=? gpu=?"},
		"an entry of the list":                    {"tolerations: [\"${ONE}\"]", "good=yes flaky=? gpu=?"},
		"seconds":                                 {"tolerations: [{key: berth.dev/gpu, operator: Exists, effect: NoExecute, tolerationSeconds: \"${S}\"}]", "good=yes flaky=no gpu=?"},
		"a selector's value":                      {"nodeSelector: {kubernetes.io/hostname: '${NODE}'}", "good=? flaky=no gpu=evict"},
		"a whole selector":                        {"nodeSelector: ${SELECTOR}", "good=? flaky=no gpu=evict"},
		"a value in an affinity":                  {affinity("{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: ['${A}']}]}"), "good=? flaky=no gpu=evict"},
		"a whole affinity":                        {"affinity: ${AFFINITY}", "good=? flaky=no gpu=evict"},
		"nodeName":                                {"nodeName: ${NODE}", "good=? flaky=? gpu=evict"},
		"how much memory does not decide":         {"containers: [{name: a, resources: {requests: {memory: '${M}'}}}]", "good=yes flaky=no gpu=evict"},
		"how much of an extended resource does":   {"containers: [{name: a, resources: {limits: {example.com/gpu: '${N}'}}}]", "good=? flaky=no gpu=evict"},
		"a port is nobody's business here":        {"containers: [{name: a, ports: [{containerPort: '${P}'}]}]", "good=yes flaky=no gpu=evict"},
		"the host's network only matters to some": {"hostNetwork: '${H}'", "good=yes flaky=no gpu=evict"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cluster := read(t, home, podsOf("Deployment", c.spec), "")
			if len(cluster.Findings) > 0 {
				t.Fatal(cluster.Findings)
			}
			if got := states(t, cluster, "good", "flaky", "gpu"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestWhatTheAPIServerWouldRefuseIsAFaultWithItsLine(t *testing.T) {
	cases := map[string]struct{ spec, line, want string }{
		"a boolean as a value":     {"tolerations:\n- key: a\n  value: true", "9", `tolerations.value: true is bool for the API server, which wants a string; write it in quotes`},
		"a boolean of YAML 1.1":    {"nodeSelector:\n  gpu: yes", "8", "nodeSelector: yes is bool"},
		"a number in a list":       {"affinity:\n  nodeAffinity:\n    requiredDuringSchedulingIgnoredDuringExecution:\n      nodeSelectorTerms:\n      - matchExpressions:\n        - key: a\n          operator: In\n          values:\n          - x\n          - 5", "16", "5 is number for the API server"},
		"a mapping for a list":     {"tolerations: {a: b}", "7", "tolerations is a mapping; the API server wants a list"},
		"an operator that is none": {"tolerations:\n- key: a\n- key: b\n  operator: exists", "9", `tolerations[1]: operator "exists" is none of Equal and Exists`},
		"an effect that is none":   {"tolerations:\n- {key: a, effect: noschedule}", "8", `effect "noschedule" is none of`},
		"no key":                   {"tolerations:\n- {effect: NoSchedule}", "8", "an entry without a key needs operator: Exists"},
		"a value beside Exists":    {"tolerations:\n- {key: a, operator: Exists, value: x}", "8", "operator Exists takes no value"},
		"seconds for NoSchedule":   {"tolerations:\n- {key: a, effect: NoSchedule, tolerationSeconds: 5}", "8", "tolerationSeconds needs effect: NoExecute"},
		"an operator that is off":  {"tolerations:\n- {key: a, operator: Gt, value: '5'}", "8", "operator Gt is alpha: the API server refuses it"},
		"a key that is none":       {"tolerations:\n- {key: a b, operator: Exists}", "8", `key "a b" is no qualified name`},
		"a value that is none":     {"tolerations:\n- {key: a, value: a b}", "8", `value "a b" is no label value`},
		"a label that is none":     {"nodeSelector:\n  a b: c", "8", `nodeSelector: "a b" is no label`},
		"a label's value":          {"nodeSelector:\n  a: b c", "8", `nodeSelector.a: "b c" is no label value`},
		"no term":                  {affinity(""), "7", "the required node affinity has no term; the API server refuses it"},
		"an operator of affinity":  {affinity("{matchExpressions: [{key: a, operator: Equals, values: [b]}]}"), "7", `nodeSelectorTerms[0].matchExpressions[0]: operator "Equals" is none of In, NotIn`},
		"In without values":        {affinity("{}, {matchExpressions: [{key: a, operator: In}]}"), "7", "nodeSelectorTerms[1].matchExpressions[0]: operator In needs values"},
		"Exists with values":       {affinity("{matchExpressions: [{key: a, operator: Exists, values: [b]}]}"), "7", "operator Exists takes no values"},
		"Lt with two values":       {affinity("{matchExpressions: [{key: a, operator: Lt, values: ['1', '2']}]}"), "7", "operator Lt needs one value"},
		"a negative number":        {affinity("{matchExpressions: [{key: a, operator: Lt, values: ['-1']}]}"), "7", `"-1" is no label value`},
		"a key of affinity":        {affinity("{matchExpressions: [{key: a b, operator: Exists}]}"), "7", `key "a b" is no label`},
		"another field":            {affinity("{matchFields: [{key: spec.name, operator: In, values: [a]}]}"), "7", `the field "spec.name" is not metadata.name`},
		"Exists on a field":        {affinity("{matchFields: [{key: metadata.name, operator: Exists}]}"), "7", `operator "Exists" is none of In and NotIn`},
		"two names for a field":    {affinity("{matchFields: [{key: metadata.name, operator: In, values: [a, b]}]}"), "7", "operator In needs one value for a field"},
		"a quantity that is none":  {"containers:\n- name: a\n  resources:\n    limits:\n      example.com/gpu: one", "11", `resources.limits.example.com/gpu is the value "one"`},
		"a container that is none": {"containers:\n- a", "8", `the value "a"`},
		"text for a number":        {"tolerations:\n- {key: a, effect: NoExecute, tolerationSeconds: soon}", "8", "tolerations.tolerationSeconds is the value \"soon\"; the API server wants a whole number"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cluster := read(t, home, podsOf("Deployment", c.spec), "")
			if len(cluster.Findings) != 1 {
				t.Fatalf("%d findings", len(cluster.Findings))
			}
			got := cluster.Findings[0].String()
			if !strings.HasPrefix(got, "render.yaml:"+c.line+": error: Deployment apps/web ") || !strings.Contains(got, c.want) {
				t.Errorf("got  %s\nwant render.yaml:%s and %s", got, c.line, c.want)
			}
			if v := verdict(t, cluster, "good"); v.State() != "?" || codes(v) != "unknown:unreadable" {
				t.Errorf("%+v", v)
			}
		})
	}
}

func TestANodeThatCannotBeReadIsAnError(t *testing.T) {
	_, err := Read(Input{Nodes: items(t, "nodes.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec:\n  taints:\n  - {key: a, value: 1, effect: NoSchedule}\n")})
	if err == nil || !strings.Contains(err.Error(), "nodes.yaml:6: Node a: taints.value: 1 is number") {
		t.Error(err)
	}
}

func TestHelmValues(t *testing.T) {
	intent := home + `
  allow:
    - workload: {kind: HelmRelease, namespace: monitoring, name: stack}
      helm: {values: [node-exporter.tolerations, grafana.tolerations]}
      tolerate: [wsl]
      reason: r
`
	render := `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: stack, namespace: monitoring}
spec:
  values:
    node-exporter:
      tolerations: [{operator: Exists, effect: NoSchedule}]
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: plex, namespace: media}
spec: {}
`
	c := read(t, intent, render, "")
	if len(c.Workloads) != 2 || c.Workloads[0].String() != "HelmRelease monitoring/stack grafana" {
		t.Fatalf("%v", c.Workloads)
	}
	if len(c.Unseen) != 1 || c.Unseen[0].String() != "HelmRelease media/plex" {
		t.Errorf("unseen: %v", c.Unseen)
	}
	m := NewMatrix(c)
	got := map[string]string{}
	for w := range c.Workloads {
		for n, node := range c.Nodes {
			got[c.Workloads[w].Place+" "+node.Name] = m.At(w, n).State()
		}
	}
	for cell, want := range map[string]string{
		"grafana good": "yes", "grafana flaky": "?", // the chart's own list cannot be seen
		"node-exporter good": "yes", "node-exporter flaky": "yes", "node-exporter gpu": "evict",
	} {
		if got[cell] != want {
			t.Errorf("%s: %s, want %s", cell, got[cell], want)
		}
	}
}

func TestARuntimeClassAddsItsSelectorAndTolerations(t *testing.T) {
	class := "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: nvidia}\nhandler: nvidia\nscheduling:\n  nodeSelector: {kubernetes.io/hostname: flaky}\n  tolerations: [{key: berth.dev/wsl, operator: Exists}]\n---\n"
	c := read(t, home, class+podsOf("Deployment", "runtimeClassName: nvidia"), "")
	if got := states(t, c, "good", "flaky"); got != "good=no flaky=yes" {
		t.Error(got)
	}
	c = read(t, home, podsOf("Deployment", "runtimeClassName: nvidia"), "")
	if v := verdict(t, c, "good"); codes(v) != "note:runtime-class-unseen" {
		t.Errorf("%+v", v)
	}
}

// The overhead of a RuntimeClass counts as requested, once.
func TestARuntimeClassAddsItsOverhead(t *testing.T) {
	class := "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: kata}\nhandler: kata\noverhead: {podFixed: {cpu: %s}}\n---\n"
	cases := map[string]struct{ overhead, spec, want string }{
		"with what the pod asks for it is too much": {"\"2\"", "containers: [{name: a, resources: {requests: {cpu: 7}}}]", "no"},
		"it fits":                          {"\"1\"", "containers: [{name: a, resources: {requests: {cpu: 7}}}]", "yes"},
		"a pod may state it":               {"\"2\"", "overhead: {cpu: 2}\ncontainers: [{name: a, resources: {requests: {cpu: 6}}}]", "yes"},
		"a pod that requests nothing":      {"\"9\"", "containers: []", "no"},
		"what is replaced later is passed": {"\"${CPU}\"", "containers: []", "yes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			render := fmt.Sprintf(class, c.overhead) + podsOf("Deployment", "runtimeClassName: kata\n"+c.spec)
			if got := states(t, read(t, "", render, liveNodes), "good"); got != "good="+c.want {
				t.Error(got)
			}
		})
	}
	_, err := Read(Input{Render: items(t, "render.yaml", fmt.Sprintf(class, "much"))})
	if err == nil || !strings.Contains(err.Error(), `render.yaml:5: RuntimeClass kata: overhead.podFixed.cpu is the value "much"`) {
		t.Error(err)
	}
}

// What depends on other pods is not looked at, and that is said.
func TestWhatDependsOnOtherPodsIsNamed(t *testing.T) {
	between := "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a}]}"
	cases := map[string]struct{ spec, want string }{
		"anti-affinity":               {"affinity: {podAntiAffinity: " + between + "}", "podAntiAffinity may keep it away too"},
		"affinity and spread":         {"affinity: {podAffinity: " + between + "}\ntopologySpreadConstraints: [{whenUnsatisfiable: DoNotSchedule}]", "podAffinity and topologySpreadConstraints may keep it away too"},
		"a spread that only prefers":  {"topologySpreadConstraints: [{whenUnsatisfiable: ScheduleAnyway}]", ""},
		"affinity that only prefers":  {"affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]}}", ""},
		"an affinity between nothing": {"affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: []}}", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			v := verdict(t, read(t, home, podsOf("Deployment", c.spec), ""), "good")
			said := ""
			for _, r := range v.Reasons {
				if r.Code == CodeOtherPods {
					said = r.Message
				}
			}
			if !strings.HasPrefix(said, c.want) || (said == "") != (c.want == "") || v.State() != "yes" {
				t.Errorf("%s: %q", v.State(), said)
			}
		})
	}
}
