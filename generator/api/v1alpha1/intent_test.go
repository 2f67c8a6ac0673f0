package v1alpha1

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

const home = `apiVersion: berth.dev/v1alpha1
kind: TaintIntent
metadata:
  name: home
spec:
  taints:
    - name: wsl
      taint: berth.dev/wsl=flaky:NoSchedule
    - {name: gpu, key: example.com/gpu, effect: NoExecute}
  nodes:
    - names: [z, kai-server]
    - names: [m, a]
      taints: [wsl, gpu]
    - names: [b]
      taints: [gpu]
`

func readOne(t *testing.T, text string) *TaintIntent {
	t.Helper()
	intents, err := ReadTaintIntents("taints.yaml", []byte(text))
	if err != nil || len(intents) != 1 {
		t.Fatalf("%d intents, %v", len(intents), err)
	}
	return intents[0]
}

func TestAnIntentAnswersWhichNodesCarryWhichTaints(t *testing.T) {
	intent := readOne(t, home)
	wsl, gpu := Taint{"berth.dev/wsl", "flaky", NoSchedule}, Taint{"example.com/gpu", "", NoExecute}
	for name, c := range map[string]struct{ got, want any }{
		"all nodes, sorted":                {intent.NodeNames(), []string{"a", "b", "kai-server", "m", "z"}},
		"tainted nodes, sorted":            {intent.TaintedNodes(), []string{"a", "b", "m"}},
		"taints in the order of the group": {intent.NodeTaints("a"), []Taint{wsl, gpu}},
		"no taints":                        {intent.NodeTaints("z"), []Taint(nil)},
		"an unknown node":                  {intent.NodeTaints("nobody"), []Taint(nil)},
		"taints by name, as asked":         {intent.TaintsByName([]string{"gpu", "wsl"}), []Taint{gpu, wsl}},
		"an unknown taint":                 {intent.TaintsByName([]string{"x"}), []Taint(nil)},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTheDigestChangesWithWhatIsSaidAndNotWithHowItIsWritten(t *testing.T) {
	digest := readOne(t, home).Digest()
	if !strings.HasPrefix(digest, "sha256:") || len(digest) != len("sha256:")+64 {
		t.Fatalf("%s is no digest", digest)
	}
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(home) }
	for name, text := range map[string]string{
		"a comment":         "# hello\n" + home,
		"annotations":       replace("name: home\n", "name: home\n  annotations: {a/b: c}\n"),
		"defaults in full":  replace("spec:\n", "spec:\n  dropIn: {mode: append, fileName: 90-berth-taints.yaml}\n  distribution: k3s\n", "name: home", "namespace: kube-system\n  name: home"),
		"the other form":    replace("- name: wsl\n      taint: berth.dev/wsl=flaky:NoSchedule", `- {effect: NoSchedule, value: "flaky", key: berth.dev/wsl, name: wsl}`),
		"an empty list":     replace("[z, kai-server]", "[z, kai-server]\n      taints: []") + "  allow: []\n",
		"quotes":            replace("name: home", `"name": 'home'`),
		"windows line ends": strings.ReplaceAll(home, "\n", "\r\n"),
	} {
		if got := readOne(t, text).Digest(); got != digest {
			t.Errorf("%s changes the digest", name)
		}
	}
	for name, text := range map[string]string{
		"another value":     replace("flaky", "dead"),
		"another node":      replace("[b]", "[c]"),
		"another name":      replace("name: home", "name: away"),
		"another namespace": replace("name: home", "name: home\n  namespace: berth"),
		"a reason":          replace("name: gpu,", "name: gpu, reason: costly,"),
		"own":               replace("spec:\n", "spec:\n  dropIn: {mode: own}\n"),
	} {
		if got := readOne(t, text).Digest(); got == digest {
			t.Errorf("%s does not change the digest", name)
		}
	}
}

func TestTheDigestLeavesTheIntentAsItWas(t *testing.T) {
	intent := &TaintIntent{}
	intent.Metadata.Annotations = map[string]string{"a": "b"}
	intent.Spec.Taints = []NamedTaint{{Name: "x", Taint: "a:NoSchedule"}}
	first := intent.Digest()
	if intent.Metadata.Annotations == nil || intent.Metadata.Namespace != "" || intent.Spec.Taints[0].Key != "" {
		t.Errorf("the digest changed it to %+v", intent)
	}
	if intent.Default(); intent.Digest() != first {
		t.Error("the digest is not that of the defaulted intent")
	}
}

func TestAnIntentKnowsWhereItsFieldsStood(t *testing.T) {
	intent := readOne(t, home)
	for path, want := range map[string]string{
		"metadata.name":           "taints.yaml:4",
		"spec.nodes[1].names[1]":  "taints.yaml:12",
		"spec.nodes[1].taints":    "taints.yaml:13",
		"spec.nodes[0].taints":    "taints.yaml:11", // not written: the group
		"spec.deny[3].workload.x": "taints.yaml:5",
	} {
		if got := intent.Position(path).String(); got != want {
			t.Errorf("%s stands at %s, want %s", path, got, want)
		}
	}
	if got := (&TaintIntent{}).Position("spec").String(); got != "" {
		t.Errorf("an object that was made in code stands at %q", got)
	}
}

func TestAFunctionConfigIsReadWithoutLines(t *testing.T) {
	decode := func(text string) *yaml.Node {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			t.Fatal(err)
		}
		return &node
	}
	intent, err := TaintIntentFromNode("functionConfig", decode(home), false)
	if err != nil || intent.Spec.DropIn.Mode != Append {
		t.Fatalf("%+v, %v", intent, err)
	}
	inner := decode(home).Content[0]
	if _, err := TaintIntentFromNode("functionConfig", inner, false); err != nil {
		t.Errorf("the map inside a document: %v", err)
	}
	replace := func(pairs ...string) *yaml.Node { return decode(strings.NewReplacer(pairs...).Replace(home)) }
	for want, node := range map[string]*yaml.Node{
		"there is no object: a TaintIntent is needed":                                                nil,
		"kind: this is a DevicePlugin: a TaintIntent is needed":                                      replace("TaintIntent", "DevicePlugin"),
		"kind: ConfigMap of v1 is none of Berth's kinds":                                             replace("TaintIntent", "ConfigMap", "berth.dev/v1alpha1", "v1"),
		"spec.nodes[1].names[0]: the node z was listed before, at spec.nodes[0].names[0]: list":      replace("[m, a]", "[z, a]"),
		"spec.nodes[0].names: the key was given before: YAML":                                        replace("- names: [z, kai-server]", "- names: [z]\n      names: [y]"),
		"spec.taints[2]: example.com/gpu:NoExecute is the same taint as the one at spec.taints[1]: ": replace("  nodes:\n", "    - {name: two, taint: \"example.com/gpu:NoExecute\"}\n  nodes:\n"),
	} {
		_, err := TaintIntentFromNode("functionConfig", node, false)
		if err == nil || !strings.HasPrefix(err.Error(), "functionConfig: "+want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, err = TaintIntentFromNode("taints.yaml", decode(strings.ReplaceAll(home, "[b]", "[B]")), true)
	if err == nil || !strings.HasPrefix(err.Error(), "taints.yaml:14: spec.nodes[2].names[0]: ") {
		t.Errorf("with lines: %v", err)
	}
}
