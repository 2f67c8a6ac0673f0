package placement

import "testing"

// Nodes that look alike and are not must not be decided together.
func TestNodesThatOnlyLookAlikeAreToldApart(t *testing.T) {
	named := func(names string) string {
		return "apiVersion: berth.dev/v1alpha1\nkind: TaintIntent\nmetadata: {name: home}\nspec:\n  taints: [{name: x, taint: \"x:NoSchedule\", reason: r}]\n  nodes: [{names: [" + names + "]}]\n"
	}
	node := func(name, rest string) string {
		return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {kubernetes.io/hostname: " + name + "}}\n" + rest
	}
	live := "status: {nodeInfo: {kubeletVersion: v1.36.3}}\n"
	cases := map[string]struct{ intent, spec, nodes, a, b string }{
		"by a number in their names": {
			named(`"3", "12"`), affinity("{matchExpressions: [{key: kubernetes.io/hostname, operator: Gt, values: ['5']}]}"), "", "12=yes", "3=no"},
		"by whether all their labels are known": {
			"", "nodeSelector: {disk: ssd}", node("a", "") + node("b", live), "a=?", "b=no"},
		"by a cordon": {
			"", "containers: []", node("a", live) + node("b", "spec: {unschedulable: true}\n"+live), "a=yes", "b=no"},
		"by what they offer": {
			"", "containers: [{name: c, resources: {limits: {example.com/gpu: 2}}}]",
			node("a", "status: {allocatable: {example.com/gpu: '2'}}\n") + node("b", "status: {allocatable: {example.com/gpu: '1'}}\n"), "a=yes", "b=no"},
		"by a host name that is not the node's name": {
			"", "nodeSelector: {kubernetes.io/hostname: real}",
			node("a", live) + "---\napiVersion: v1\nkind: Node\nmetadata: {name: b, labels: {kubernetes.io/hostname: real}}\n" + live, "a=no", "b=yes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := NewMatrix(read(t, c.intent, podsOf("Deployment", c.spec), c.nodes))
			got := map[string]bool{}
			for n, node := range m.Nodes {
				got[node.Name+"="+m.At(0, n).State()] = true
			}
			if !got[c.a] || !got[c.b] {
				t.Errorf("got %v, want %s and %s", got, c.a, c.b)
			}
		})
	}
}

func TestNodesThatNobodyTellsApartShareAColumn(t *testing.T) {
	m := NewMatrix(read(t, home, podsOf("Deployment", "containers: []"), ""))
	if len(m.Columns) != 4 || len(m.Verdicts) != 4 {
		t.Errorf("%d columns and %d verdicts, want 4 each: good and spare are alike", len(m.Columns), len(m.Verdicts))
	}
}

// An intent owns its taints on the nodes that it lists, and nowhere else.
func TestATaintOfANodeThatTheIntentDoesNotListStays(t *testing.T) {
	other := "apiVersion: v1\nkind: Node\nmetadata: {name: other}\nspec: {taints: [{key: berth.dev/wsl, value: flaky, effect: NoSchedule}]}\n"
	if got := states(t, read(t, home, podsOf("Deployment", "containers: []"), other), "other"); got != "other=no" {
		t.Error(got)
	}
}
