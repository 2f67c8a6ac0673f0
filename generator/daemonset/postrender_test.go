package daemonset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/stream"
	"github.com/berth-dev/berth/generator/tree"
)

// What helm-controller does: the chart's objects go through kustomize with the patches of the post-renderers. A
// strategic merge moves the container that it changes to the front (kustomize v5.8.1).
func TestThePostRenderersPatchSwitchesWhatAChartRenders(t *testing.T) {
	const chart = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: jellyfin
spec:
  template:
    spec:
      containers:
      - name: side
        image: side
        volumeMounts:
        - name: data
          mountPath: /data
      - name: jellyfin
        image: jellyfin
        resources:
          limits:
            memory: 1Gi
        volumeMounts:
        - name: data
          mountPath: /data
        - name: dri
          mountPath: /dev/dri
      volumes:
      - name: data
        emptyDir: {}
      - name: dri
        hostPath:
          path: /dev/dri
`
	const want = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: jellyfin
spec:
  template:
    spec:
      containers:
      - name: jellyfin
        image: jellyfin
        env:
        - name: A
          value: b
        resources:
          limits:
            memory: 1Gi
            gpu.intel.com/i915: "1"
          requests:
            gpu.intel.com/i915: "1"
        volumeMounts:
        - name: data
          mountPath: /data
      - name: side
        image: side
        volumeMounts:
        - name: data
          mountPath: /data
      volumes:
      - name: data
        emptyDir: {}
`
	items, err := stream.ReadDocuments("edited.yaml", []byte(readFile(t, "testdata/release-through-post-renderers", "edited.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	release, err := items[0].Node()
	if err != nil {
		t.Fatal(err)
	}
	patches := tree.List()
	for _, renderer := range tree.Lookup(release.YNode(), "spec", "postRenderers").Content[1:] {
		patches.Content = append(patches.Content, tree.Lookup(renderer, "kustomize", "patches").Content...)
	}
	kustomization := tree.Map("resources", tree.List(tree.Text("chart.yaml")), "patches", patches)
	fs := filesys.MakeFsInMemory()
	put(t, fs, "chart.yaml", chart)
	put(t, fs, "kustomization.yaml", yaml.NewRNode(kustomization).MustString())
	got, err := kustomize(fs, ".")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decoded(t, want), decoded(t, got)); diff != "" {
		t.Error(diff)
	}
}

func TestAnEarlierPostRendererIsBroughtUpToDate(t *testing.T) {
	k := readCase(t, "testdata/release-through-post-renderers")
	edited := readFile(t, k.dir, "edited.yaml")
	k.plugins[0].Spec.Consumers[0].Env = map[string]string{"A": "c"}
	outs, items := k.generate(t, edited)
	if got, want := encoded(t, items), strings.ReplaceAll(edited, "value: b", "value: c"); got != want {
		t.Error(cmp.Diff(want, got))
	}
	if len(outs[0].Edits) != 2 {
		t.Errorf("%d edits", len(outs[0].Edits))
	}
}
