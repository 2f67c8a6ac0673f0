package bundle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// Labels come before the taints of a node, those that no kubelet may set included: kubectl may.
func TestTheScriptLabelsNodesToo(t *testing.T) {
	intents, err := v1alpha1.ReadTaintIntents("i.yaml", []byte(`apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: home}
spec:
  taints: [{name: a, taint: "example.com/a:NoSchedule", label: example.com/a=true}]
  nodes:
    - {names: [n1], taints: [a]}
    - {names: [good], labels: {node-role.kubernetes.io/good: "true"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	text := string(script(intents).Content)
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "label ") || strings.HasPrefix(line, "taint ") {
			lines = append(lines, line)
		}
	}
	want := []string{"label good 'node-role.kubernetes.io/good=true'", "label n1 'example.com/a=true'", "taint n1 'example.com/a:NoSchedule'"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(text, "kubectl} label nodes") || !strings.Contains(text, "not tainted or labelled:") {
		t.Error(text)
	}
}
