package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestATypedObjectIsWrittenWithoutWhatAClusterFillsIn(t *testing.T) {
	node, err := Node(&corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "p", Labels: map[string]string{"on": "yes", "a": "1"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "c", Image: "i", Env: []corev1.EnvVar{{Name: "N", Value: "0x10"}},
			Ports: []corev1.ContainerPort{{ContainerPort: 80}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Encode(node)
	if err != nil {
		t.Fatal(err)
	}
	want := `---
apiVersion: v1
kind: Pod
metadata:
  name: p
  labels:
    a: "1"
    "on": "yes"
spec:
  containers:
    - name: c
      image: i
      ports:
        - containerPort: 80
      env:
        - name: "N"
          value: "0x10"
      resources: {}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestTheOneForm(t *testing.T) {
	cases := map[string]struct{ in, want string }{
		"keys in Kubernetes' order": {
			"kind: Pod\nspec: {x: 1}\nmetadata: {namespace: b, name: a}\napiVersion: v1\n",
			"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: b\nspec:\n  x: 1\n"},
		"lists keep their order and are indented": {"a:\n- c\n- b\n", "a:\n  - c\n  - b\n"},
		"empty ones stay on their line":           {"a: {}\nb: []\n", "a: {}\nb: []\n"},
		"booleans in one spelling":                {"a: yes\nb: Off\nc: \"yes\"\nd: 'no'\ne: TRUE\n", "a: true\nb: false\nc: \"yes\"\nd: 'no'\ne: true\n"},
		"numbers as they are":                     {"a: 0644\nb: 1e3\nc: 010\n", "a: 0644\nb: 1e3\nc: 010\n"},
		"comments before their line":              {"a: 1 #one\n#two\nb:\n  c: 2   # three\n", "# one\na: 1\n# two\nb:\n  # three\n  c: 2\n"},
		"what is commented out stays aligned":     {"a:\n  - b\n  #- c:\n  #    d\n", "a:\n  - b\n  # - c:\n  #     d\n"},
		"a block of text":                         {"a: |\n  x # y\n    z\n", "a: |\n  x # y\n    z\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			node := yaml.MustParse(c.in)
			Normalize(node.YNode())
			got, err := Encode(node)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("---\n"+c.want, string(got)); diff != "" {
				t.Error(diff)
			}
			changes, err := Compare([]byte("kind: X\n"+c.in), append([]byte("kind: X\n"), strings.TrimPrefix(string(got), "---\n")...))
			if strings.Contains(c.in, "kind:") {
				changes, err = Compare([]byte(c.in), got)
			}
			if err != nil || len(changes) > 0 {
				t.Errorf("the meaning changed: %v, %v", changes, err)
			}
		})
	}
}

func TestADifferenceIsNamedByItsField(t *testing.T) {
	const base = "kind: Pod\nmetadata: {name: a, namespace: ns}\nspec:\n  list: [{x: 1}, {x: 2}]\n  yes: on\n---\nkind: Service\nmetadata: {name: s}\n"
	cases := map[string]struct{ after, want string }{
		"none":                   {base, ""},
		"the order of objects":   {"kind: Service\nmetadata: {name: s}\n---\n" + strings.Split(base, "---\n")[0], ""},
		"the order of keys":      {strings.Replace(base, "name: a, namespace: ns", "namespace: ns, name: a", 1), ""},
		"the spelling of a bool": {strings.Replace(base, "yes: on", "yes: true", 1), ""},
		"a string for a bool":    {strings.Replace(base, "yes: on", `yes: "on"`, 1), `Pod ns/a spec.true: true becomes "on"`},
		"a null":                 {strings.Replace(base, "list:", "none: null\n  list:", 1), ""},
		"a value":                {strings.Replace(base, "{x: 2}", "{x: 3}", 1), "Pod ns/a spec.list[1].x: 2 becomes 3"},
		"an item":                {strings.Replace(base, ", {x: 2}", "", 1), `Pod ns/a spec.list[1]: {"x":2} is removed`},
		"a field":                {strings.Replace(base, "spec:", "spec:\n  new: [1]", 1), "Pod ns/a spec.new: [1] is added"},
		"an object":              {strings.Split(base, "---\n")[0], `Service s: {"kind":"Service","metadata":{"name":"s"}} is removed`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			changes, err := Compare([]byte(base), []byte(c.after))
			if err != nil {
				t.Fatal(err)
			}
			lines := make([]string, len(changes))
			for i, change := range changes {
				lines[i] = change.String()
			}
			if diff := cmp.Diff(c.want, strings.Join(lines, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatCannotBeComparedIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"a key twice":     "kind: A\nkind: B\n",
		"an object twice": "kind: A\nmetadata: {name: x}\n---\nkind: A\nmetadata: {name: x}\n",
		"no YAML":         "a: [\n",
		"no object":       "- a\n",
	} {
		if _, err := Compare([]byte(text), nil); err == nil {
			t.Errorf("%s passed", name)
		}
		if _, err := Compare(nil, []byte(text)); err == nil {
			t.Errorf("%s passed as the later one", name)
		}
	}
}

func TestImagesArePinnedByTheirRepository(t *testing.T) {
	const pin = "docker.io/intel/gpu:1@sha256:aa"
	const upstream = `kind: DaemonSet
metadata: {name: d}
spec:
  template:
    spec:
      initContainers: [{image: "registry:5000/intel/gpu:devel"}]
      containers: [{image: intel/gpu}, {image: "intel/gpu:devel@sha256:bb"}, {image: other}]
`
	v, err := Vendor("up.yaml", []byte(upstream), []string{pin})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"registry:5000/intel/gpu:devel", pin, pin, "other"}
	if diff := cmp.Diff(want, v.Images); diff != "" || len(v.Changes) != 2 {
		t.Errorf("%d changes, %s", len(v.Changes), diff)
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":          {"# only\n", "up.yaml holds no object"},
		"no such image":    {"kind: A\nspec: {containers: [{image: x}]}\n", "up.yaml has no image of intel/gpu: the images are x"},
		"no YAML":          {"a: [\n", "up.yaml:"},
		"a key twice":      {"kind: A\nkind: B\n", `key "kind" stands twice`},
		"an object doubly": {"kind: A\n---\nkind: A\nspec: {containers: [{image: intel/gpu}]}\n", "stands twice"},
	} {
		if _, err := Vendor("up.yaml", []byte(c.text), []string{pin}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzTheFormKeepsTheMeaning(f *testing.F) {
	for _, s := range []string{"a: yes # x\nb: [1, {c: d}]\n", "a: |\n  b\n", "? a\n: b\n", "a: !!str 1\n", "a: &x 1\nb: *x\n", "a: 'x'\n\n#c\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := "kind: X\nspec:\n  " + strings.ReplaceAll(s, "\n", "\n  ") + "\n"
		if _, err := Compare([]byte(text), nil); err != nil {
			return
		}
		v, err := Vendor("x", []byte(text), nil)
		if err != nil {
			return // it said that it cannot
		}
		if changes, err := Compare([]byte(text), v.Content); err != nil || len(changes) > 0 {
			t.Errorf("%v, %v:\n%s\n%s", err, changes, text, v.Content)
		}
	})
}
