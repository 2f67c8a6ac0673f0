package edit

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
spec:
  containers:
  - name: side
    image: side
  - name: web # the one
    image: web
    volumeMounts:
    - name: data
      mountPath: /data
    - name: dri
      mountPath: /dev/dri
  volumes:
  - name: dri
    hostPath:
      path: /dev/dri
`

// step is one call on a target.
type step func(Target) (Edit, error)

func set(path string, value *yaml.Node) step {
	return func(t Target) (Edit, error) { return t.Set(at(path), value) }
}

func remove(path string) step { return func(t Target) (Edit, error) { return t.Remove(at(path)) } }

func guardOf(path string) step { return func(t Target) (Edit, error) { return t.Guard(at(path)) } }

func at(path string) tree.Path {
	p, err := tree.Parse(path)
	if err != nil {
		panic(err)
	}
	return p
}

var cases = map[string][]step{
	"a value below what is missing": {set(`spec.containers[1].resources.limits.example\.com/gpu`, tree.Text("1"))},
	"two values below what is missing": {
		set("spec.containers[1].resources.limits.a", tree.Text("1")),
		set("spec.containers[1].resources.requests.a", tree.Text("1")),
		set("spec.containers[1].resources.limits.b", tree.Text("2")),
	},
	"a value that is there": {set("spec.containers[1].image", tree.Text("web:2"))},
	"an item of a list":     {set("spec.volumes[0].name", tree.Text("gpu")), set("spec.volumes[0]", tree.Map("name", tree.Text("new")))},
	"a value inside one that was set": {
		set("spec.securityContext", tree.Map("runAsUser", tree.Text("1"))),
		set("spec.securityContext.runAsUser", tree.Text("2")),
	},
	"an item removed, the container guarded": {
		guardOf("spec.containers[1].name"), remove("spec.containers[1].volumeMounts[1]"), remove("spec.volumes"),
	},
	"items removed from the end": {
		remove("spec.containers[1].volumeMounts[1]"), remove("spec.containers[1].volumeMounts[0]"),
	},
}

func TestThePatchesDoWhatTheEditsDid(t *testing.T) {
	for name, steps := range cases {
		t.Run(name, func(t *testing.T) {
			target := targetOfPod(t)
			edits := apply(t, target, steps)
			edited := text(t, target)
			built, err := build(pod, edits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decode(t, edited), decode(t, built)); diff != "" {
				t.Errorf("-edited +built:\n%s", diff)
			}
		})
	}
}

func TestThePatchesRefuseABaseThatHasChanged(t *testing.T) {
	changed := map[string]string{
		"another container there": strings.Replace(pod, "name: web #", "name: other #", 1),
		"another mount there":     strings.Replace(pod, "mountPath: /dev/dri", "mountPath: /dev/dri2", 1),
		"the volume has gone":     strings.Replace(pod, "  volumes:", "  x-volumes:", 1),
	}
	edits := apply(t, targetOfPod(t), cases["an item removed, the container guarded"])
	for name, base := range changed {
		t.Run(name, func(t *testing.T) {
			if out, err := build(base, edits); err == nil {
				t.Errorf("it built:\n%s", out)
			}
		})
	}
}

func TestWhatIsNotThereCannotBeRemovedOrGuarded(t *testing.T) {
	target := targetOfPod(t)
	for name, s := range map[string]step{"remove": remove("spec.volumes[3]"), "guard": guardOf("spec.nodeName")} {
		if _, err := s(target); err == nil || !strings.Contains(err.Error(), name+" spec.") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := target.Set(at("spec.containers[7].image"), tree.Text("x")); err == nil {
		t.Error("an item beyond the list was set")
	}
}

func TestAGuardChangesNothing(t *testing.T) {
	target := targetOfPod(t)
	e, err := guardOf("spec.containers[1].name")(target)
	if err != nil || e.Changes() {
		t.Errorf("%v, changes %t", err, e.Changes())
	}
	if text(t, target) != pod {
		t.Error("the object is another now")
	}
}

func targetOfPod(t *testing.T) Target {
	t.Helper()
	items, err := stream.ReadDocuments("pod.yaml", []byte(pod))
	if err != nil {
		t.Fatal(err)
	}
	targets, err := Targets(items)
	if err != nil {
		t.Fatal(err)
	}
	return targets[0]
}

func apply(t *testing.T, target Target, steps []step) []Edit {
	t.Helper()
	var edits []Edit
	for _, s := range steps {
		e, err := s(target)
		if err != nil {
			t.Fatal(err)
		}
		edits = append(edits, e)
	}
	return edits
}

func text(t *testing.T, target Target) string {
	t.Helper()
	node, err := target.Item.Node()
	if err != nil {
		t.Fatal(err)
	}
	out, err := stream.Encode(node, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func build(base string, edits []Edit) (string, error) {
	type patch struct {
		Patch  string   `yaml:"patch"`
		Target Selector `yaml:"target"`
	}
	kustomization := struct {
		Resources []string `yaml:"resources"`
		Patches   []patch  `yaml:"patches"`
	}{Resources: []string{"pod.yaml"}}
	for _, p := range Patches(edits) {
		var operations bytes.Buffer
		if err := yaml.NewEncoder(&operations).Encode(p.Operations); err != nil {
			return "", err
		}
		kustomization.Patches = append(kustomization.Patches, patch{operations.String(), p.Target})
	}
	file, err := yaml.Marshal(kustomization)
	if err != nil {
		return "", err
	}
	fs := filesys.MakeFsInMemory()
	for name, content := range map[string][]byte{"pod.yaml": []byte(base), "kustomization.yaml": file} {
		if err := fs.WriteFile(name, content); err != nil {
			return "", err
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fs, ".")
	if err != nil {
		return "", err
	}
	out, err := built.AsYaml()
	return string(out), err
}

func decode(t *testing.T, in string) any {
	t.Helper()
	var out any
	if err := yaml.Unmarshal([]byte(in), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
