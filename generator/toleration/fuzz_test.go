package toleration

import (
	"reflect"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// FuzzText hands any text to the places that hold text: a HelmChart's values, ServiceLB's annotation, Longhorn's line, and
// patches. Nothing may crash, and what was edited once is left alone the second time.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"", "a: 1 # kept\n", "tolerations: []\n", "# only\n", "a: &x [1]\nb: *x\n", "- a\n", "[{\"key\":\"a\"}]", "a=b:NoSchedule;c:NoExecute",
		"- op: add\n  path: /spec/template/spec/tolerations\n  value: [{key: a, operator: Exists}]\n", "a: [", "${X}: [", "---\na: 1\n---\nb: 2\n", "\t", "a: |\n  x\n \n", "x: {a: , b}\n",
	} {
		f.Add(seed)
	}
	intents, err := v1alpha1.ReadTaintIntents("intent.yaml", []byte(`apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata: {name: fuzz}
spec:
  taints: [{name: a, taint: "example.com/a=1:NoSchedule", label: example.com/a=1}]
  nodes: [{names: [n], taints: [a]}]
  allow:
    - {workload: {kind: HelmChart, name: x}, helm: {values: [tolerations, b.tolerations]}, tolerate: [a], place: require, reason: r, optional: true}
    - {workload: {kind: Service, name: x}, tolerate: [a], reason: r, optional: true}
    - {workload: {kind: HelmRelease, name: x}, helm: {values: [defaultSettings.taintToleration], pods: [{kind: Deployment, name: x}]}, tolerate: [a], reason: r, optional: true}
`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, item := range fuzzed(text) {
			items := []*stream.Item{item}
			first, err := Apply(intents[0], items)
			if err != nil || finding.HasErrors(first.Findings) {
				continue
			}
			if item.Kind == "HelmChart" {
				sameBeside(t, text, item)
			}
			second, err := Apply(intents[0], items)
			if err != nil {
				t.Fatal(err)
			}
			if changed(second.Edits) || finding.HasErrors(second.Findings) {
				t.Errorf("%s: the second run changes %v: %v", item.Kind, second.Edits, second.Findings)
			}
		}
	})
}

// sameBeside holds the values that no entry is about against what they were.
func sameBeside(t *testing.T, before string, item *stream.Item) {
	t.Helper()
	root, err := item.Node()
	if err != nil {
		t.Fatal(err)
	}
	var was, is map[string]any
	if yaml.Unmarshal([]byte(before), &was) != nil {
		return
	}
	after := tree.Lookup(root.YNode(), "spec", "valuesContent").Value
	if err := yaml.Unmarshal([]byte(after), &is); err != nil {
		t.Fatalf("%q became %q: %v", before, after, err)
	}
	for _, key := range []string{"tolerations", "affinity", "b"} {
		delete(was, key)
		delete(is, key)
	}
	if len(was)+len(is) > 0 && !reflect.DeepEqual(was, is) {
		t.Errorf("%q became %q", before, after)
	}
}

func fuzzed(text string) []*stream.Item {
	object := func(apiVersion, kind string, path tree.Path, value *yaml.Node) *stream.Item {
		root := tree.Map("apiVersion", tree.Text(apiVersion), "kind", tree.Text(kind), "metadata", tree.Map("name", tree.Text("x")))
		if tree.Set(root, path, value) != nil {
			panic("the path is free")
		}
		return stream.New(yaml.NewRNode(root))
	}
	patch := tree.Map("target", tree.Map("kind", tree.Text("Deployment"), "name", tree.Text("x")), "patch", tree.Text(text))
	release := object("helm.toolkit.fluxcd.io/v2", "HelmRelease", tree.Path{"spec", "values", "defaultSettings", "taintToleration"}, tree.Text(text))
	root, err := release.Edit()
	if err != nil || tree.Set(root.YNode(), tree.Path{"spec", "postRenderers"}, tree.List(tree.Map("kustomize", tree.Map("patches", tree.List(patch))))) != nil {
		panic("the path is free")
	}
	service := object("v1", "Service", tree.Path{"spec", "type"}, tree.Text("LoadBalancer"))
	if root, err = service.Edit(); err != nil || tree.Set(root.YNode(), tree.Path{"metadata", "annotations", "svccontroller.k3s.cattle.io/tolerations"}, tree.Text(text)) != nil {
		panic("the path is free")
	}
	return []*stream.Item{object("helm.cattle.io/v1", "HelmChart", tree.Path{"spec", "valuesContent"}, tree.Text(text)), service, release}
}
