package toleration

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/tree"
)

// The patches that stand in objects are for kustomize inside of Flux and Argo CD: here kustomize applies them to what
// those would render.
func TestPatchesInObjectsDoTheirWorkUnderKustomize(t *testing.T) {
	edited := readItems(t, "edited.yaml", read(t, "testdata/helm-pods/edited.yaml"))
	patches := map[string]string{}
	for _, item := range edited {
		node, err := item.Node()
		if err != nil {
			t.Fatal(err)
		}
		patches[item.Kind+" "+item.Name] = patchesOf(t, node.YNode())
	}
	const pod = "apiVersion: apps/v1\nkind: KIND\nmetadata: {name: NAME}\nspec: {template: {spec: {TOLERATIONS}}}\n"
	render := func(kind, name, tolerations string) string {
		return strings.NewReplacer("KIND", kind, "NAME", name, "TOLERATIONS", tolerations).Replace(pod)
	}
	cases := map[string]struct {
		in, render string
		want       string // keys that are tolerated, or empty for a build that fails
		affinity   string // values of the terms
	}{
		"a chart without tolerations": {"HelmRelease plain", render("DaemonSet", "node.exporter", "") + "---\n" + render("DaemonSet", "shipper", ""),
			"example.com/flaky", "true"},
		"a chart with tolerations that nobody declared": {"HelmRelease plain", render("DaemonSet", "node.exporter", "tolerations: [{key: a, operator: Exists}]"), "", ""},
		"a chart with an affinity that nobody declared": {"HelmRelease plain", render("DaemonSet", "node.exporter", "affinity: {}"), "", ""},
		"patches of two intents, one after the other":   {"HelmRelease patched-by-another-intent", render("Deployment", "web", ""), "away example.com/flaky", "true"},
		"a patch behind one of the user's own":          {"Kustomization apps", render("DaemonSet", "agent", ""), "theirs example.com/flaky", ""},
		"declared tolerations that are not there":       {"HelmRelease with-renderers", render("Deployment", "web", ""), "", ""},
		"another object": {"Application apps", render("StatefulSet", "store2", ""), "-", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			built, err := tryBuild(c.render, "resources: [render.yaml]\npatches:\n"+patches[c.in])
			if (err != nil) != (c.want == "") {
				t.Fatalf("error %v\n%s", err, built)
			}
			if err != nil {
				return
			}
			keys, values := seen(t, built)
			if diff := cmp.Diff(strings.Trim(c.want, "-"), keys); diff != "" {
				t.Error(diff)
			}
			if c.affinity != "" && !strings.Contains(values, c.affinity) {
				t.Errorf("affinity: %s", values)
			}
		})
	}
}

// patchesOf returns every patch of an object, as a list for a kustomization.
func patchesOf(t *testing.T, root *yaml.Node) string {
	t.Helper()
	all := tree.List()
	for _, path := range []tree.Path{{"spec", "patches"}, {"spec", "source", "kustomize", "patches"}} {
		if list := tree.Lookup(root, path...); list != nil {
			all.Content = append(all.Content, list.Content...)
		}
	}
	if renderers := tree.Lookup(root, "spec", "postRenderers"); renderers != nil {
		for _, r := range renderers.Content {
			all.Content = append(all.Content, tree.Lookup(r, "kustomize", "patches").Content...)
		}
	}
	text, err := yaml.String(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// seen lists the keys that the first object tolerates, and its affinity as text.
func seen(t *testing.T, built string) (keys, affinity string) {
	t.Helper()
	node, err := readItems(t, "built.yaml", built)[0].Node()
	if err != nil {
		t.Fatal(err)
	}
	spec := tree.Lookup(node.YNode(), "spec", "template", "spec")
	var all []string
	if list := tree.Lookup(spec, "tolerations"); list != nil {
		for _, entry := range list.Content {
			all = append(all, tree.Lookup(entry, "key").Value)
		}
	}
	if found := tree.Lookup(spec, "affinity"); found != nil {
		affinity, _ = yaml.String(found)
	}
	return strings.Join(all, " "), affinity
}
