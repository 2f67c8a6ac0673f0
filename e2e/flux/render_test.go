package flux_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/fluxcd/pkg/ssa/normalize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const toolkit = "kustomize.toolkit.fluxcd.io"

// rendered is what berth render prints of a Kustomization.
type rendered struct {
	id
	Objects  []json.RawMessage
	Complete bool
}

// appliedAsRendered compares what the controller built, and what it sent, with what berth render prints, for every Kustomization of
// clusters/dev whose folder is in this repository.
func (s *site) appliedAsRendered(t *testing.T, g graph, checkout string) {
	var all []rendered
	r := s.tools.RunBerth(t, "", nil, "render", checkout, "--env", "dev", "-o", "json")
	if err := json.Unmarshal([]byte(r.Out), &all); r.Code != 0 || err != nil || len(all) != len(g.Kustomizations) {
		t.Fatalf("berth render: exit %d, %v, %d Kustomizations\n%s", r.Code, err, len(all), r.Errors)
	}
	objects := 0
	for _, k := range all {
		if k.String() == gatewayAPIs { // its folder is another repository's
			continue
		}
		if !k.Complete {
			t.Errorf("%s: the render is not complete", k)
		}
		s.sameBytes(t, k.id, checkout, "--env", "dev")
		objects += s.sameObjects(t, k)
	}
	if objects < 50 {
		t.Errorf("only %d objects were compared", objects)
	}
	t.Logf("%d objects of %d Kustomizations are the same to the byte", objects, len(all)-1)
}

// sameBytes compares the digest of everything that the controller built for a Kustomization, which stands in its status, with that of
// the YAML that berth render prints.
func (s *site) sameBytes(t *testing.T, k id, checkout string, args ...string) {
	t.Helper()
	text := s.berth(t, nil, append([]string{"render", checkout, "--kustomization", k.String()}, args...)...)
	o, err := s.Kustomization(t.Context(), k.Namespace, k.Name)
	if err != nil {
		t.Fatal(err)
	}
	history, _, _ := unstructured.NestedSlice(o.Object, "status", "history")
	if len(history) == 0 {
		t.Fatalf("%s has no history", k)
	}
	theirs := history[0].(map[string]any)["digest"]
	if ours := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))); theirs != ours {
		t.Errorf("%s: the controller built %v, berth render prints %s:\n%s", k, theirs, ours, text)
	}
}

// sameObjects compares each object that the controller sent for a Kustomization, in a dry run or not, with the rendered one, and returns
// how many there are.
func (s *site) sameObjects(t *testing.T, k rendered) int {
	t.Helper()
	want := map[string]string{}
	for _, text := range k.Objects {
		o := &unstructured.Unstructured{}
		if err := o.UnmarshalJSON(text); err != nil {
			t.Fatal(err)
		}
		want[key(o)] = s.asSent(t, o, k.id)
	}
	sent, really := map[string]bool{}, map[string]bool{}
	for _, a := range s.recorder.Applied("kustomize-controller") {
		o := &unstructured.Unstructured{}
		if err := o.UnmarshalJSON(a.Body); err != nil {
			t.Fatalf("%s: %v", a.Path, err)
		}
		if o.GetLabels()[toolkit+"/name"] != k.Name || o.GetLabels()[toolkit+"/namespace"] != k.Namespace {
			continue
		}
		if got := canonical(t, a.Body); got != want[key(o)] {
			t.Errorf("%s: %s: the controller sent\n%s\nberth render prints\n%s", k, key(o), got, want[key(o)])
		}
		sent[key(o)] = true
		really[key(o)] = really[key(o)] || !a.DryRun && a.Status < 300
	}
	for name := range want {
		if !sent[name] || !really[name] {
			t.Errorf("%s: %s was rendered, and not applied", k, name)
		}
	}
	return len(want)
}

// asSent does to a rendered object what the controller does between the build and the request: its library completes what the API server
// would, and two labels say whose the object is.
func (s *site) asSent(t *testing.T, o *unstructured.Unstructured, k id) string {
	t.Helper()
	labels := o.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels[toolkit+"/name"], labels[toolkit+"/namespace"] = k.Name, k.Namespace
	o.SetLabels(labels)
	if err := normalize.UnstructuredList([]*unstructured.Unstructured{o}); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(o.Object)
	if err != nil {
		t.Fatal(err)
	}
	return canonical(t, text)
}

func key(o *unstructured.Unstructured) string {
	return fmt.Sprintf("%s %s/%s", o.GetKind(), o.GetNamespace(), o.GetName())
}

// canonical is JSON with sorted fields, and its numbers as they were written.
func canonical(t *testing.T, text []byte) string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(sorted)
}
