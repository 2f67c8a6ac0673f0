package stamp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
)

const intentYAML = `apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: home, namespace: infra}
spec:
  taints: [{name: a, taint: "example.com/a:NoSchedule"}]
  nodes: [{names: [n1], taints: [a]}, {names: [good]}]
`

func readIntent(t *testing.T) *v1alpha1.TaintIntent {
	t.Helper()
	intents, err := v1alpha1.ReadTaintIntents("intent.yaml", []byte(intentYAML))
	if err != nil {
		t.Fatal(err)
	}
	return intents[0]
}

func TestARecordAndADropInForEachNode(t *testing.T) {
	var got []string
	for _, m := range ConfigMaps(readIntent(t)) {
		got = append(got, m.Metadata.Namespace+"/"+m.Metadata.Name+" "+m.Metadata.Annotations[AnnotationPath])
	}
	path := "/etc/rancher/k3s/config.yaml.d/90-berth-taints.yaml"
	want := []string{"infra/berth-home ", "infra/berth-home.good " + path, "infra/berth-home.n1 " + path}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAVeryLongNameIsShortenedAndStaysDifferent(t *testing.T) {
	a, b := shorten("berth-"+strings.Repeat("x", 300)+"a"), shorten("berth-"+strings.Repeat("x", 300)+"b")
	if len(a) != maxName || len(b) != maxName || a == b {
		t.Errorf("%d %d %v", len(a), len(b), a == b)
	}
}

func TestAddingTwiceChangesNothing(t *testing.T) {
	in := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata: {name: s}\n"
	var outputs []string
	for range 2 {
		list, err := stream.ReadList([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		items, found, err := Add(readIntent(t), list.Items)
		if err != nil || finding.HasErrors(found) {
			t.Fatal(err, found)
		}
		list.Items = items
		var out bytes.Buffer
		if err := list.Write(&out); err != nil {
			t.Fatal(err)
		}
		in = out.String()
		outputs = append(outputs, in)
	}
	if diff := cmp.Diff(outputs[0], outputs[1]); diff != "" {
		t.Error(diff)
	}
}
