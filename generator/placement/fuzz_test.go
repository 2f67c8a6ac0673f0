package placement

import (
	"testing"

	"github.com/berth-dev/berth/generator/stream"
)

// Whatever stands in a render, there is an answer or an error, and the matrix says what the pairs say.
func FuzzRead(f *testing.F) {
	for _, spec := range []string{"tolerations: [{operator: Exists}]", "nodeSelector: {a: ${B}}", "affinity: ${A}", affinity("{matchFields: [{key: metadata.name, operator: In, values: [a]}]}")} {
		f.Add(podsOf("Deployment", spec))
		f.Add(podsOf("DaemonSet", spec))
	}
	f.Add(volume("pv", "data", "good") + podsOf("Deployment", "volumes: [{persistentVolumeClaim: {claimName: data}}]"))
	f.Add(liveNodes)
	f.Add("apiVersion: v1\nkind: List\nitems: {a: b}\n")
	f.Add("apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: a}\nscheduling: [x]\n")
	f.Add("apiVersion: v1\nkind: Service\nmetadata: {name: a, annotations: {svccontroller.k3s.cattle.io/tolerations: '[{a: b}]'}}\nspec: {type: LoadBalancer}\n")
	intent := intents(f, home+"  allow:\n    - {workload: {kind: HelmRelease, name: \"*\"}, helm: {values: [tolerations, a.taintToleration], pods: [{kind: DaemonSet, name: a}]}, tolerate: [wsl], reason: r}\n")
	f.Add("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {values: {tolerations: {}, a: {taintToleration: [1]}}, postRenderers: [{kustomize: {patches: [{target: {kind: DaemonSet}, patch: '- {op: add, path: /spec/x, value: 1}'}]}}]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		items, err := stream.ReadDocuments("x.yaml", []byte(text))
		if err != nil {
			return
		}
		c, err := Read(Input{Intents: intent, Render: items})
		if err != nil {
			return
		}
		m := NewMatrix(c)
		for w := range c.Workloads {
			for n := range c.Nodes {
				one := Decide(c.Workloads[w], c.Nodes[n])
				if one.key() != m.At(w, n).key() {
					t.Fatalf("%s on %s: %v one by one, %v together", c.Workloads[w], c.Nodes[n].Name, one, m.At(w, n))
				}
			}
		}
	})
}
