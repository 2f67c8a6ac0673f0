package live

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// exporter is the allowed workload of the intent home.
func exporter(tolerations string, updated int) string {
	return fmt.Sprintf(`---
apiVersion: apps/v1
kind: DaemonSet
metadata: {namespace: observability, name: node-exporter, generation: 2}
spec: {template: {spec: {tolerations: [%s]}}}
status: {observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: %d}
`, tolerations, updated)
}

const tolerant = `{key: berth.dev/wsl, operator: Exists}`

// pinnedPod is a pod on the tower whose volume is there too.
const pinnedPod = `---
apiVersion: v1
kind: Pod
metadata: {namespace: db, name: pg-0}
spec: {nodeName: kai-desktop-tower, volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-pg}
spec: {claimRef: {namespace: db, name: data}, nodeAffinity: {required: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [kai-desktop-tower]}]}]}}}
`

func TestAPlanIsInTheSafeOrderAndSaysWhatIsMissing(t *testing.T) {
	noExecute := strings.Replace(home, "NoSchedule", "NoExecute", 1)
	noHome := strings.Replace(strings.Replace(home, "- names: [kai-server]", "", 1), "names: [kai-desktop-tower]", "names: [kai-server, kai-desktop-tower]", 1)
	cases := map[string]struct {
		intent, cluster string
		options         PlanOptions
		want            string
	}{
		"an allowed workload that is not deployed is not waited for": {
			intent: home, cluster: homeNodes,
			want: `node kai-desktop-tower: + berth.dev/wsl=flaky:NoSchedule
verify
note allowed-is-absent`,
		},
		"an allowed workload that has rolled out comes first": {
			intent: home, cluster: homeNodes + exporter(tolerant, 2),
			want: `tolerate
node kai-desktop-tower: + berth.dev/wsl=flaky:NoSchedule
verify`,
		},
		"an allowed workload without its toleration blocks": {
			intent: home, cluster: homeNodes + exporter("", 2),
			want: `tolerate
  blocked toleration-missing
node kai-desktop-tower: + berth.dev/wsl=flaky:NoSchedule
verify`,
		},
		"a rollout that is not through blocks": {
			intent: home, cluster: homeNodes + exporter(tolerant, 1),
			want: `tolerate
  blocked rollout-incomplete
node kai-desktop-tower: + berth.dev/wsl=flaky:NoSchedule
verify`,
		},
		"what is accepted does not block": {
			intent: home, cluster: homeNodes + exporter(tolerant, 1), options: PlanOptions{Accept: []string{"rollout-incomplete"}},
			want: `tolerate
node kai-desktop-tower: + berth.dev/wsl=flaky:NoSchedule
verify`,
		},
		"a pod that could not come back to its volume blocks": {
			intent: home, cluster: homeNodes + pinnedPod,
			want: `node kai-desktop-tower: + berth.dev/wsl=flaky:NoSchedule
  blocked pinned-volume
verify
note allowed-is-absent`,
		},
		"NoExecute names the pods that it evicts": {
			intent: noExecute, cluster: homeNodes + `---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: web}
spec: {nodeName: kai-desktop-tower}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: patient}
spec: {nodeName: kai-desktop-tower, tolerations: [{key: berth.dev/wsl, operator: Exists, tolerationSeconds: 60}, {operator: Exists}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: stays}
spec: {nodeName: kai-desktop-tower, tolerations: [{operator: Exists}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: kube-system, name: static, annotations: {kubernetes.io/config.mirror: x}}
spec: {nodeName: kai-desktop-tower}
`,
			want: `node kai-desktop-tower: + berth.dev/wsl=flaky:NoExecute
  evicts shop/patient, after 60 s
  evicts shop/web
verify
note allowed-is-absent`,
		},
		"a cluster without a home blocks": {
			intent: noHome, cluster: homeNodes,
			want: `node kai-desktop-tower: + berth.dev/wsl=flaky:NoSchedule
  blocked no-home-left
node kai-server: + berth.dev/wsl=flaky:NoSchedule
verify
note allowed-is-absent`,
		},
		"a node that only loses something does not wait for a workload": {
			intent: home, cluster: strings.Replace(homeNodes, "{name: kai-server}", `{name: kai-server, annotations: {berth.dev/owned: '{"home":{"taints":["old:NoSchedule"]}}'}}
spec: {taints: [{key: old, effect: NoSchedule}]}`, 1) + exporter("", 2),
			want: `node kai-server: - old:NoSchedule
tolerate
  blocked toleration-missing
node kai-desktop-tower: + berth.dev/wsl=flaky:NoSchedule
verify`,
		},
		"what was tainted by hand needs no workload to be ready": {
			intent: home, cluster: strings.Replace(homeNodes, "{name: kai-desktop-tower}", `{name: kai-desktop-tower}
spec: {taints: [{key: berth.dev/wsl, value: flaky, effect: NoSchedule}]}`, 1) + exporter("", 2),
			want: `node kai-desktop-tower: = berth.dev/wsl=flaky:NoSchedule (is there; becomes the intent's)
verify`,
		},
		"only tainted nodes are uncordoned": {
			intent: home, options: PlanOptions{Uncordon: true},
			cluster: strings.ReplaceAll(homeNodes, "}\n", "}\nspec: {unschedulable: true}\n"),
			want: `node kai-desktop-tower: + berth.dev/wsl=flaky:NoSchedule
uncordon kai-desktop-tower: uncordon
verify
note allowed-is-absent`,
		},
		"a node that has not joined is noted": {
			intent: home, cluster: "apiVersion: v1\nkind: Node\nmetadata: {name: kai-server}\n",
			want: `note node-missing`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, cluster := serve(t, c.cluster)
			if diff := cmp.Diff(c.want, outline(plan(t, cluster, c.intent, c.options))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// outline is a plan in a few words.
func outline(p *Plan) string {
	var lines []string
	for _, step := range p.Steps {
		line := strings.TrimSpace(string(step.Kind) + " " + step.Node)
		for i, d := range step.Deltas {
			line += []string{": ", ", "}[min(i, 1)] + d.String()
		}
		lines = append(lines, line)
		for _, e := range step.Evicts {
			lines = append(lines, "  evicts "+e.String())
		}
		for _, b := range step.Blockers {
			lines = append(lines, "  blocked "+b.Code)
		}
	}
	for _, note := range p.Notes {
		lines = append(lines, "note "+note.Code)
	}
	return strings.Join(lines, "\n")
}

func TestApplyStopsAtTheFirstStepThatIsNotSafe(t *testing.T) {
	server, cluster := serve(t, homeNodes+exporter("", 2))
	err := cluster.Apply(t.Context(), plan(t, cluster, home, PlanOptions{}), func(Event) {})
	var blocked *Blocked
	if !errors.As(err, &blocked) || server.Writes() != 0 {
		t.Fatalf("got %v, %d writes", err, server.Writes())
	}
	for _, want := range []string{"step 1 is not safe yet", "DaemonSet observability/node-exporter", "does not tolerate berth.dev/wsl=flaky:NoSchedule", "deploy what berth generate wrote"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not say %q", err, want)
		}
	}
}

func TestTheKubectlCommandsOfAPlan(t *testing.T) {
	step := Step{Kind: SetNode, Node: "n", Deltas: []Delta{
		{Operation: Add, Taint: "a=b:NoSchedule"}, {Operation: Change, Taint: "c:NoExecute", Before: "x"}, {Operation: Remove, Taint: "d=e:NoSchedule"},
		{Operation: Adopt, Taint: "f:NoSchedule"}, {Operation: Add, Label: "l=v"}, {Operation: Remove, Label: "m=v"},
	}}
	want := `kubectl taint nodes n 'a=b:NoSchedule' --overwrite
kubectl taint nodes n 'c:NoExecute' --overwrite
kubectl taint nodes n 'd:NoSchedule-'
kubectl label nodes n 'l=v' --overwrite
kubectl label nodes n 'm-'`
	if diff := cmp.Diff(want, strings.Join(step.Commands(), "\n")); diff != "" {
		t.Error(diff)
	}
}
