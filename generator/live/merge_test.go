package live

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

var (
	flaky = v1alpha1.Taint{Key: "berth.dev/wsl", Value: "flaky", Effect: v1alpha1.NoSchedule}
	gpu   = v1alpha1.Taint{Key: "berth.dev/gpu", Effect: v1alpha1.NoExecute}
)

func wanting(taints ...v1alpha1.Taint) *want {
	return &want{node: "node-1", run: []string{"home"}, intents: []wantOf{{intent: "home", taints: taints}}}
}

func TestWhatANodeGets(t *testing.T) {
	const ours = `annotations: {berth.dev/owned: '{"home":{"taints":["berth.dev/wsl:NoSchedule"]}}'}`
	cases := map[string]struct {
		meta, taints string
		want         *want
		patch        string // YAML, without the resource version
		deltas       string
	}{
		"a taint is added at the end": {
			taints: `[{key: example.com/a, effect: NoExecute, timeAdded: "2026-01-02T03:04:05Z"}]`, want: wanting(flaky),
			patch: `
metadata: {annotations: {berth.dev/owned: '{"home":{"taints":["berth.dev/wsl:NoSchedule"]}}'}}
spec: {taints: [{key: example.com/a, effect: NoExecute, timeAdded: "2026-01-02T03:04:05Z"}, {key: berth.dev/wsl, value: flaky, effect: NoSchedule}]}`,
			deltas: "+ berth.dev/wsl=flaky:NoSchedule",
		},
		"what is right already is left alone": {
			meta: ours, taints: `[{key: berth.dev/wsl, value: flaky, effect: NoSchedule}]`, want: wanting(flaky),
		},
		"a taint that was set by hand becomes the intent's, and the list is not written": {
			taints: `[{key: berth.dev/wsl, value: flaky, effect: NoSchedule}]`, want: wanting(flaky),
			patch:  `metadata: {annotations: {berth.dev/owned: '{"home":{"taints":["berth.dev/wsl:NoSchedule"]}}'}}`,
			deltas: "= berth.dev/wsl=flaky:NoSchedule (is there; becomes the intent's)",
		},
		"another value is changed in its place": {
			meta: ours, taints: `[{key: berth.dev/wsl, value: old, effect: NoSchedule, timeAdded: "2026-01-02T03:04:05Z"}, {key: z, effect: NoSchedule}]`, want: wanting(flaky),
			patch: `
metadata: {annotations: {berth.dev/owned: '{"home":{"taints":["berth.dev/wsl:NoSchedule"]}}'}}
spec: {taints: [{key: berth.dev/wsl, value: flaky, effect: NoSchedule}, {key: z, effect: NoSchedule}]}`,
			deltas: `~ berth.dev/wsl=flaky:NoSchedule (was "old")`,
		},
		"the same key with another effect is another taint": {
			meta: ours, taints: `[{key: berth.dev/wsl, value: flaky, effect: NoExecute}, {key: berth.dev/wsl, value: flaky, effect: NoSchedule}]`, want: wanting(flaky),
		},
		"what leaves the intent leaves the node, and nothing else does": {
			meta: ours, taints: `[{key: a, effect: NoSchedule}, {key: berth.dev/wsl, value: flaky, effect: NoSchedule}, {key: berth.dev/wsl, effect: NoExecute}]`, want: wanting(),
			patch: `
metadata: {annotations: {berth.dev/owned: null}}
spec: {taints: [{key: a, effect: NoSchedule}, {key: berth.dev/wsl, effect: NoExecute}]}`,
			deltas: "- berth.dev/wsl=flaky:NoSchedule",
		},
		"the last taint leaves an empty list": {
			meta: ours, taints: `[{key: berth.dev/wsl, value: flaky, effect: NoSchedule}]`, want: wanting(),
			patch:  `{metadata: {annotations: {berth.dev/owned: null}}, spec: {taints: []}}`,
			deltas: "- berth.dev/wsl=flaky:NoSchedule",
		},
		"a taint that somebody took away is no longer owned": {
			meta: ours, taints: `[]`, want: wanting(),
			patch:  `{metadata: {annotations: {berth.dev/owned: null}}}`,
			deltas: "= annotation berth.dev/owned (what it lists is gone)",
		},
		"another intent's taint stays, and stays that intent's": {
			meta:   `annotations: {berth.dev/owned: '{"home":{"taints":["berth.dev/wsl:NoSchedule"]},"other":{"taints":["berth.dev/gpu:NoExecute","berth.dev/wsl:NoSchedule"]}}'}`,
			taints: `[{key: berth.dev/wsl, value: flaky, effect: NoSchedule}, {key: berth.dev/gpu, effect: NoExecute}]`, want: wanting(),
			patch:  `metadata: {annotations: {berth.dev/owned: '{"other":{"taints":["berth.dev/gpu:NoExecute","berth.dev/wsl:NoSchedule"]}}'}}`,
			deltas: "= annotation berth.dev/owned (what it lists is gone)",
		},
		"a controller's taint stays even when the annotation claims it": {
			meta:   `annotations: {berth.dev/owned: '{"home":{"taints":["node.kubernetes.io/unreachable:NoExecute"]}}'}`,
			taints: `[{key: node.kubernetes.io/unreachable, effect: NoExecute}]`, want: wanting(),
			patch:  `metadata: {annotations: {berth.dev/owned: null}}`,
			deltas: "= annotation berth.dev/owned (what it lists is gone)",
		},
		"a field that this program does not know survives": {
			taints: `[{key: a, effect: NoSchedule, futureField: {x: 1}}]`, want: wanting(gpu),
			patch: `
metadata: {annotations: {berth.dev/owned: '{"home":{"taints":["berth.dev/gpu:NoExecute"]}}'}}
spec: {taints: [{key: a, effect: NoSchedule, futureField: {x: 1}}, {key: berth.dev/gpu, effect: NoExecute}]}`,
			deltas: "+ berth.dev/gpu:NoExecute",
		},
		"a node without taints that wants none gets no annotation": {taints: `[]`, want: wanting()},
		"an annotation of empty lists is as good as none": {
			taints: `[]`, want: wanting(), meta: `annotations: {berth.dev/owned: '{"other":{"taints":["a:NoSchedule"]}}'}`,
		},
		"labels are set, changed, taken over and taken away": {
			meta:   `{labels: {changed: old, same: v, gone: x, foreign: z}, annotations: {berth.dev/owned: '{"home":{"labels":["gone","changed"]}}'}}`,
			taints: `[]`,
			want:   &want{run: []string{"home"}, intents: []wantOf{{intent: "home", labels: map[string]string{"changed": "new", "same": "v", "new": ""}}}},
			patch: `
metadata:
  labels: {changed: new, new: "", gone: null}
  annotations: {berth.dev/owned: '{"home":{"labels":["changed","new","same"]}}'}`,
			deltas: "~ changed=new (was \"old\"), + new=, = same=v (is there; becomes the intent's), - gone=x",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			node := object(t, "{apiVersion: v1, kind: Node, metadata: {name: node-1}, spec: {taints: "+c.taints+"}}")
			var meta map[string]any
			if err := yaml.Unmarshal([]byte(c.meta), &meta); err != nil {
				t.Fatal(err)
			}
			for key, value := range meta {
				node.Object["metadata"].(map[string]any)[key] = value
			}
			node.SetResourceVersion("7")
			out, err := merge(node, c.want)
			if err != nil {
				t.Fatal(err)
			}
			var deltas []string
			for _, d := range out.deltas {
				deltas = append(deltas, d.String())
			}
			if diff := cmp.Diff(c.deltas, strings.Join(deltas, ", ")); diff != "" {
				t.Error(diff)
			}
			var want map[string]any
			if err := yaml.Unmarshal([]byte(c.patch), &want); err != nil {
				t.Fatal(err)
			}
			if want != nil {
				want["metadata"].(map[string]any)["resourceVersion"] = "7"
			}
			if diff := cmp.Diff(want, normal(t, out.patch)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// normal is the patch as it goes over the wire.
func normal(t *testing.T, patch map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(patch)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

func TestAnAnnotationThatBerthDidNotWriteIsAnError(t *testing.T) {
	node := object(t, `{apiVersion: v1, kind: Node, metadata: {name: node-1, annotations: {berth.dev/owned: "home"}}}`)
	_, err := merge(node, wanting(flaky))
	if err == nil || !strings.Contains(err.Error(), "node node-1: the annotation berth.dev/owned is not what berth writes") {
		t.Errorf("got %v", err)
	}
}
