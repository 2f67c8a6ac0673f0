// Package clusters_test builds the reference repository as Flux would, from this repository's root.
package clusters_test

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/generator/flux"
	"github.com/berth-dev/berth/generator/flux/draw"
	"github.com/berth-dev/berth/generator/tree"
	"github.com/berth-dev/berth/internal/golden"
)

// unavailable comes from another repository, on purpose.
var unavailable = flux.ID{Namespace: "flux-system", Name: "gateway-api"}

func environment(t *testing.T, name string) *flux.Environment {
	t.Helper()
	c, err := flux.Open("..")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	e, err := flux.Read(t.Context(), c, flux.Options{Path: "clusters/" + name})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func id(name string) flux.ID { return flux.ID{Namespace: "flux-system", Name: name} }

func TestBothEnvironmentsBuild(t *testing.T) {
	for _, name := range []string{"dev", "prod"} {
		e := environment(t, name)
		for _, k := range e.Kustomizations {
			if k.ID == unavailable {
				continue
			}
			if !k.Built || len(k.Problems) > 0 || len(k.Objects) == 0 {
				t.Errorf("%s: %s: built %v, %d objects, problems %v", name, k.ID, k.Built, len(k.Objects), k.Problems)
			}
		}
	}
}

func TestTheReconcileOrder(t *testing.T) {
	e := environment(t, "dev")
	g := e.Graph()
	var b bytes.Buffer
	if err := draw.Text(&b, draw.Picture{Environment: e, Graph: g}); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "../testdata/clusters/order.txt", b.String())
	if len(g.Cycles) > 0 || slices.ContainsFunc(g.Nodes, func(n *flux.Node) bool { return n.Blocked }) {
		t.Errorf("something never reconciles: %v", g.Cycles)
	}
}

func TestWhatStalls(t *testing.T) {
	g := environment(t, "dev").Graph()
	for name, want := range map[string]string{
		"intel-gpu-plugin":    "", // a signal, not a gate
		"apps-vms":            "",
		"apps-wave-1":         "apps-wave-2",
		"platform-config-cdi": "apps-vms",
		"platform-config":     "apps-wave-0 platform-config-cdi apps-vms apps-wave-1 apps-wave-2",
	} {
		var held []string
		for _, s := range g.Stalls(id(name)).Held {
			held = append(held, s.ID.Name)
		}
		if got := strings.Join(held, " "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestEnvironmentsDifferInVariablesOnly(t *testing.T) {
	declared := func(name string) map[string]string {
		all := map[string]string{}
		for _, o := range environment(t, name).Kustomizations[0].Objects {
			text, err := o.Item().Node()
			if err != nil {
				t.Fatal(err)
			}
			if o.Kind != "ConfigMap" {
				all[o.String()] = text.MustString()
			}
		}
		return all
	}
	if diff := cmp.Diff(declared("dev"), declared("prod")); diff != "" {
		t.Errorf("-dev +prod:\n%s", diff)
	}
}

func TestEveryVariableIsDefinedAndUsed(t *testing.T) {
	for _, name := range []string{"dev", "prod"} {
		e := environment(t, name)
		used := map[string]bool{}
		for o := range e.Objects() {
			for _, use := range o.Uses {
				used[use.Name] = true
				if !use.Defined {
					t.Errorf("%s: %s: ${%s} has no value", name, o, use.Name)
				}
			}
		}
		vars := e.Object("", "ConfigMap", "flux-system", "cluster-vars")
		data := tree.Lookup(vars.Node(), "data")
		for i := 0; i+1 < len(data.Content); i += 2 {
			if key := data.Content[i].Value; !used[key] {
				t.Errorf("%s: nothing uses %s", name, key)
			}
		}
	}
}

func TestPlaceholdersAreInTheDesignOnlyEnvironmentAlone(t *testing.T) {
	count := map[string]int{}
	for _, name := range []string{"dev", "prod"} {
		for o := range environment(t, name).Objects() {
			text, err := o.Item().Node()
			if err != nil {
				t.Fatal(err)
			}
			count[name] += strings.Count(text.MustString(), "TBD-")
		}
	}
	if count["dev"] != 0 || count["prod"] == 0 {
		t.Errorf("got %v", count)
	}
}

func TestTheShellOfACloudInitKeepsItsVariables(t *testing.T) {
	vm := environment(t, "dev").Object("kubevirt.io", "VirtualMachine", "vms", "build-agent")
	text := vm.Item()
	node, err := text.Node()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"${disk##*/}", "${HOSTNAME:-this machine}", "build-agent.lab.example.org"} {
		if !strings.Contains(node.MustString(), want) {
			t.Errorf("%s is missing:\n%s", want, node.MustString())
		}
	}
}

func TestTheAllowlistArrivesInTheRender(t *testing.T) {
	e := environment(t, "dev")
	o := e.Object("apps", "DaemonSet", "observability", "node-exporter")
	key := tree.Lookup(o.Node(), "spec", "template", "spec", "tolerations", "0", "key")
	if key == nil || key.Value != "berth.dev/wsl" {
		t.Error("node-exporter does not tolerate the taint")
	}
	if e.Object("", "ConfigMap", "kube-system", "berth-home") == nil {
		t.Error("the record of the intent is missing")
	}
}

func TestWhatIsCommittedIsWhatGenerateWrites(t *testing.T) {
	for _, args := range [][]string{
		{"clusters/taints.yaml", "--from", "clusters/platform", "-o", "clusters/generated"},
		{"clusters/intel-gpu.yaml", "--intent", "clusters/taints.yaml", "-o", "."},
	} {
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", "./functions/berth", "generate", "--check"}, args...)...)
		cmd.Dir = ".."
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}
