package daemonset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/finding"
	"github.com/berth-dev/berth/generator/stream"
)

func made(t *testing.T, name string) (kase, *Output) {
	t.Helper()
	k := readCase(t, "testdata/"+name)
	outs, _ := k.generate(t, k.render)
	return k, outs[0]
}

func place(t *testing.T, k kase, out *Output, items []*stream.Item, files bool) ([]*stream.Item, []finding.Finding) {
	t.Helper()
	placed, found, err := Place(k.plugins[0], out.Objects, items, files)
	if err != nil {
		t.Fatal(err)
	}
	return placed, found
}

func ids(items []*stream.Item) string {
	var all []string
	for _, item := range items {
		all = append(all, item.ID())
	}
	return strings.Join(all, ", ")
}

func TestInAKustomizationTheFluxKustomizationStaysOut(t *testing.T) {
	k, out := made(t, "every-option")
	items, found := place(t, k, out, nil, false)
	want := "Namespace gpus, ConfigMap gpus/intel-gpu-plugin, DaemonSet gpus/intel-gpu-plugin, PodMonitor gpus/intel-gpu-plugin"
	if got := ids(items); got != want {
		t.Errorf("placed %s", got)
	}
	if len(found) != 1 || found[0].Code != "flux-not-placed" {
		t.Errorf("%v", found)
	}
}

func TestInFilesEachObjectHasItsOwn(t *testing.T) {
	k, out := made(t, "every-option")
	items, found := place(t, k, out, nil, true)
	var files []string
	for _, item := range items {
		node, err := item.Node()
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, node.GetAnnotations()["internal.config.kubernetes.io/path"])
	}
	want := []string{"infra/gpus/namespace.yaml", "infra/gpus/config.yaml", "infra/gpus/daemonset.yaml", "infra/gpus/podmonitor.yaml", "clusters/home/gpus.yaml"}
	if diff := cmp.Diff(want, files); diff != "" || len(found) > 0 {
		t.Errorf("%v\n%s", found, diff)
	}
}

func TestAnObjectOfAnEarlierRunIsBroughtUpToDateWhereItStands(t *testing.T) {
	k, out := made(t, "without-flux")
	items, _ := place(t, k, out, nil, false)
	text := encoded(t, items)
	old := strings.Replace(text, "maxUnavailable: 1", "maxUnavailable: 2", 1)
	old = strings.Replace(old, "kind: DaemonSet\nmetadata:\n", "kind: DaemonSet\nmetadata:\n  annotations:\n    internal.config.kubernetes.io/path: somewhere.yaml\n    mine: gone\n", 1)
	for name, before := range map[string]string{"as it is": text, "changed": old} {
		t.Run(name, func(t *testing.T) {
			again, err := stream.ReadDocuments("x.yaml", []byte(before))
			if err != nil {
				t.Fatal(err)
			}
			after, found := place(t, k, out, again, false)
			if len(after) != len(items) || len(found) != 0 {
				t.Fatalf("%s, %v", ids(after), found)
			}
			got := encoded(t, after)
			if name == "changed" {
				if !strings.Contains(got, "path: somewhere.yaml") || strings.Contains(got, "mine: gone") {
					t.Errorf("the host's annotation was lost, or another kept:\n%s", got)
				}
				got = strings.Replace(got, "  annotations:\n    internal.config.kubernetes.io/path: somewhere.yaml\n", "", 1)
			}
			if diff := cmp.Diff(decoded(t, text), decoded(t, got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatIsNoLongerAskedForIsReported(t *testing.T) {
	k, out := made(t, "every-option")
	items, _ := place(t, k, out, nil, false)
	var fewer []Object
	for _, object := range out.Objects {
		if object.Name != "podmonitor.yaml" {
			fewer = append(fewer, object)
		}
	}
	out.Objects = fewer
	after, found := place(t, k, out, items, false)
	if len(after) != len(items) {
		t.Error("an item was lost")
	}
	if len(found) != 2 || found[1].Code != "left-over" || found[1].Object.Kind != "PodMonitor" {
		t.Errorf("%v", found)
	}
}

func TestEveryReasonStandsBeforeAFieldThatThereIs(t *testing.T) {
	_, out := made(t, "without-flux")
	for _, object := range out.Objects {
		if object.Name != daemonSetFile {
			continue
		}
		text := explained(object.Node).MustString()
		for _, reason := range reasons {
			line, _, _ := strings.Cut(reason.text, "\n")
			if !strings.Contains(text, "# "+line) {
				t.Errorf("%s: not explained", reason.path)
			}
		}
		if strings.Contains(object.Node.MustString(), "#") {
			t.Error("the object itself was changed")
		}
	}
}
