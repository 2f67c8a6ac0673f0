package live

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

func TestLabelsHaveLayersLikeTaints(t *testing.T) {
	node := &corev1.Node{}
	node.Labels = map[string]string{"right": "v", "differs": "other", "leftover": "x", "somebody's": "y"}
	f := &facts{
		want: &want{run: []string{"home"}, intents: []wantOf{{intent: "home", labels: map[string]string{"right": "v", "differs": "v", "missing": "v"}}}},
		node: node, args: &nodeArgs{labels: map[string]string{"right": "v", "differs": "w"}},
		own: ownership{"home": {Labels: []string{"right", "leftover"}}},
	}
	want := []Row{
		{Label: "differs=v", Intent: Yes, NodeArgs: Differs, Live: Differs},
		{Label: "leftover=x", Intent: No, NodeArgs: No, Live: Yes, Owners: []string{"home"}},
		{Label: "missing=v", Intent: Yes, NodeArgs: No, Live: No},
		{Label: "right=v", Intent: Yes, NodeArgs: Yes, Live: Yes, Owners: []string{"home"}},
	}
	if diff := cmp.Diff(want, f.labels()); diff != "" {
		t.Error(diff)
	}
}

func TestTheLabelsOfAnIntentAreThoseOfTheGroupAndOfItsTaints(t *testing.T) {
	intents, err := v1alpha1.ReadTaintIntents("i.yaml", []byte(`apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: home}
spec:
  taints: [{name: a, taint: "example.com/a:NoSchedule", label: example.com/a=yes}]
  nodes:
    - {names: [n1], taints: [a], labels: {node-role.kubernetes.io/flaky: ""}}
    - {names: [good]}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"example.com/a": "yes", "node-role.kubernetes.io/flaky": ""}
	if diff := cmp.Diff(want, nodeLabels(intents[0], "n1")); diff != "" {
		t.Error(diff)
	}
	if got := nodeLabels(intents[0], "good"); got != nil {
		t.Errorf("a node without labels wants %v", got)
	}
}
