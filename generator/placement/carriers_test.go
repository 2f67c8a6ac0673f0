package placement

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	edits "github.com/berth-dev/berth/generator/toleration"
)

// Each carrier is placed as it stands, and once the intent's edits are made.
func TestCarriersBeforeAndAfterTheirEdits(t *testing.T) {
	cases := map[string]struct{ entry, object, before, after string }{
		"values of a HelmChart, which are text": {
			"workload: {kind: HelmChart, name: web}\n      helm: {values: [tolerations]}",
			"apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: web, namespace: kube-system}\nspec:\n  valuesContent: |\n    tolerations: []\n",
			"web tolerations: good=yes flaky=no", "web tolerations: good=yes flaky=yes"},
		"values that are not there are the chart's own": {
			"workload: {kind: HelmChart, name: web}\n      helm: {values: [agent.tolerations]}",
			"apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: web, namespace: kube-system}\nspec: {}\n",
			"web agent: good=yes flaky=?", "web agent: good=yes flaky=yes"},
		"a pod that a HelmRelease's chart renders": {
			"workload: {kind: HelmRelease, name: stack}\n      helm: {pods: [{kind: DaemonSet, name: exporter}]}",
			"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: stack}\nspec: {}\n",
			"stack DaemonSet exporter: good=yes flaky=no", "stack DaemonSet exporter: good=yes flaky=yes"},
		"a pod of which the intent knows the tolerations": {
			"workload: {kind: HelmRelease, name: stack}\n      helm: {pods: [{kind: DaemonSet, name: exporter, tolerations: [{operator: Exists}]}]}",
			"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: stack}\nspec: {}\n",
			"stack DaemonSet exporter: good=yes flaky=yes", "stack DaemonSet exporter: good=yes flaky=yes"},
		"a pod whose list is replaced unseen": {
			"workload: {kind: Kustomization, name: infra}\n      pods: [{kind: Deployment, name: op, replace: true}]",
			"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: infra}\nspec: {path: ./x}\n",
			"infra Deployment op: good=yes flaky=?", "infra Deployment op: good=yes flaky=yes"},
		"a custom resource that the catalogue knows": {
			"workload: {kind: Prometheus, name: k8s}",
			"apiVersion: monitoring.coreos.com/v1\nkind: Prometheus\nmetadata: {name: k8s}\nspec: {}\n",
			"k8s : good=yes flaky=no", "k8s : good=yes flaky=yes"},
		"a path of the user's own": {
			"workload: {kind: Thing, name: x}\n      paths: [spec.worker.podTolerations]",
			"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: x}\nspec: {worker: {podTolerations: []}}\n",
			"x : good=yes flaky=no", "x : good=yes flaky=yes"},
		"a Service of ServiceLB": {
			"workload: {kind: Service, name: lb}",
			"apiVersion: v1\nkind: Service\nmetadata: {name: lb}\nspec: {type: LoadBalancer}\n",
			"lb svclb: good=yes flaky=no", "lb svclb: good=yes flaky=yes"},
		"Longhorn's line": {
			"workload: {kind: HelmRelease, name: longhorn}\n      helm: {values: [defaultSettings.taintToleration]}",
			"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: longhorn}\nspec: {values: {defaultSettings: {taintToleration: \"a=b:NoSchedule;c:NoExecute\"}}}\n",
			"longhorn defaultSettings.taintToleration: good=yes flaky=no", "longhorn defaultSettings.taintToleration: good=yes flaky=yes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			intent := home + "  allow:\n    - " + c.entry + "\n      tolerate: [wsl]\n      reason: r\n"
			in := Input{Intents: intents(t, intent), Render: items(t, "render.yaml", c.object)}
			if got := all(t, in); got != c.before {
				t.Errorf("as it stands: %s\nwant %s", got, c.before)
			}
			outcome, err := edits.Apply(in.Intents[0], in.Render)
			if err != nil {
				t.Fatal(err)
			}
			if got := all(t, in); got != c.after {
				t.Errorf("once it is edited: %s\nwant %s\n%v", got, c.after, outcome.Findings)
			}
		})
	}
}

// all writes the states of every workload on two nodes.
func all(t *testing.T, in Input) string {
	t.Helper()
	c, err := Read(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Findings) > 0 {
		t.Fatal(c.Findings)
	}
	var lines []string
	for _, w := range c.Workloads {
		line := w.Object.Name + " " + w.Place + ":"
		for _, name := range []string{"good", "flaky"} {
			for _, n := range c.Nodes {
				if n.Name == name {
					v := Decide(w, n)
					line += " " + name + "=" + v.State()
				}
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func TestAnOperatorsKindSaysThatItsPodsAreNotSeen(t *testing.T) {
	c := read(t, home, "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: db}\nspec: {affinity: {tolerations: []}}\n", "")
	if v := verdict(t, c, "good"); codes(v) != "note:pods-unseen" {
		t.Errorf("%+v", v)
	}
}

func TestAPlansLabelSelectorIsARequiredAffinity(t *testing.T) {
	plan := "apiVersion: upgrade.cattle.io/v1\nkind: Plan\nmetadata: {name: k3s}\nspec:\n  tolerations: []\n  nodeSelector:\n    matchLabels: {kubernetes.io/os: linux}\n    matchExpressions: [{key: kubernetes.io/hostname, operator: NotIn, values: [spare]}]\n"
	if got := states(t, read(t, home, plan, ""), "good", "spare"); got != "good=yes spare=no" {
		t.Error(got)
	}
}

func TestAServiceThatNobodyNamesIsNoWorkload(t *testing.T) {
	c := read(t, home, "apiVersion: v1\nkind: Service\nmetadata: {name: lb}\nspec: {type: LoadBalancer}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {}\n", "")
	if len(c.Workloads) != 0 {
		t.Errorf("%v", c.Workloads)
	}
}

func TestTheLabelsThatAnIntentGivesANodeAreKnown(t *testing.T) {
	intent := strings.Replace(home, "names: [good, spare]", "names: [good, spare]\n      labels: {disk: ssd}", 1)
	c := read(t, intent, podsOf("Deployment", "nodeSelector: {disk: ssd}"), "")
	if got := states(t, c, "good"); got != "good=yes" {
		t.Error(got)
	}
}

func TestWhatADevicePluginIsToOffer(t *testing.T) {
	gpu := podsOf("Deployment", "containers: [{name: a, resources: {limits: {gpu.intel.com/i915: 1}}}]")
	only := true
	cases := map[string]struct {
		only     *bool
		resource string
		want     string
	}{
		"its nodes offer it, and others may":        {nil, "gpu.intel.com/i915", "good=yes spare=?"},
		"its nodes offer it, and no other does":     {&only, "gpu.intel.com/i915", "good=yes spare=no"},
		"another resource says nothing of this one": {&only, "example.com/other", "good=? spare=?"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			plugin := &v1alpha1.DevicePlugin{}
			plugin.Spec.Resource, plugin.Spec.Nodes, plugin.Spec.OnlyNodes = c.resource, []string{"good"}, c.only
			cluster, err := Read(Input{Intents: intents(t, home), Plugins: []*v1alpha1.DevicePlugin{plugin}, Render: items(t, "render.yaml", gpu)})
			if err != nil {
				t.Fatal(err)
			}
			if got := states(t, cluster, "good", "spare"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
