package placement

import (
	"strings"
	"testing"
)

const liveNodes = `
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: good, labels: {kubernetes.io/hostname: good, kubernetes.io/os: linux, disk: ssd, cores: "8"}}
  status:
    nodeInfo: {kubeletVersion: v1.36.3+k3s1}
    allocatable: {cpu: "8", memory: 16Gi, gpu.intel.com/i915: "1"}
- apiVersion: v1
  kind: Node
  metadata: {name: flaky, labels: {kubernetes.io/hostname: flaky, kubernetes.io/os: linux}}
  spec:
    unschedulable: true
    taints:
    - {key: node.kubernetes.io/unschedulable, effect: NoSchedule}
    - {key: berth.dev/gpu, effect: NoExecute}
  status:
    nodeInfo: {kubeletVersion: v1.36.3+k3s1}
    allocatable: {cpu: "2", memory: 4Gi}
`

func fieldsOf(s string) []string { return strings.Fields(s) }

func affinity(expression string) string {
	return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" + expression + "]}}}"
}

// An intent knows a node's host name and that k3s runs on Linux, and no other label.
func TestLabels(t *testing.T) {
	cases := map[string]struct{ spec, intent, live string }{
		"a label that no intent knows is unknown until the nodes are given": {
			"nodeSelector: {disk: ssd}", "good=?", "good=yes"},
		"another value is no": {
			"nodeSelector: {disk: hdd}", "good=?", "good=no"},
		"the host name is known": {
			"nodeSelector: {kubernetes.io/hostname: spare}", "good=no", "good=no"},
		"k3s runs on Linux": {
			"nodeSelector: {kubernetes.io/os: windows}", "good=no", "good=no"},
		"what is wrong for sure decides, whatever else is unknown": {
			"nodeSelector: {kubernetes.io/os: windows, disk: ssd}", "good=no", "good=no"},
		"a required affinity on the host name is known": {
			affinity("{matchExpressions: [{key: kubernetes.io/hostname, operator: NotIn, values: [good]}]}"), "good=no", "good=no"},
		"terms are alternatives": {
			affinity("{matchExpressions: [{key: disk, operator: In, values: [hdd]}]}, {matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [good]}]}"), "good=yes", "good=yes"},
		"an unknown alternative leaves it open": {
			affinity("{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}, {matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [spare]}]}"), "good=?", "good=yes"},
		"an absent label is unknown, and then absent": {
			affinity("{matchExpressions: [{key: zone, operator: DoesNotExist}]}"), "good=?", "good=yes"},
		"numbers compare": {
			affinity("{matchExpressions: [{key: cores, operator: Gt, values: ['4']}]}"), "good=?", "good=yes"},
		"the node's name as a field": {
			affinity("{matchFields: [{key: metadata.name, operator: In, values: [good]}]}"), "good=yes", "good=yes"},
		"an empty term matches nothing": {affinity("{}"), "good=no", "good=no"},
		"a term that compares with no number matches nothing": {
			affinity("{matchExpressions: [{key: cores, operator: Gt, values: [many]}]}"), "good=no", "good=no"},
		"the kubelet refuses a pod for another OS": {"os: {name: windows}", "good=no", "good=no"},
		"the same OS is no matter":                 {"os: {name: linux}", "good=yes", "good=yes"},
		"preferred affinity keeps nothing away": {
			"affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: disk, operator: In, values: [hdd]}]}}]}}", "good=yes", "good=yes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			render := podsOf("Deployment", c.spec)
			if got := states(t, read(t, home, render, ""), "good"); got != c.intent {
				t.Errorf("by the intent: %s, want %s", got, c.intent)
			}
			if got := states(t, read(t, home, render, liveNodes), "good"); got != c.live {
				t.Errorf("with the nodes: %s, want %s", got, c.live)
			}
		})
	}
}

func TestLiveNodesCompleteAnIntent(t *testing.T) {
	c := read(t, home, podsOf("Deployment", "tolerations: [{key: berth.dev/wsl, operator: Exists}]"), liveNodes)
	v := verdict(t, c, "flaky")
	if got := codes(v); got != "blocks:cordoned permits:tolerated-taint" {
		t.Errorf("a live taint that the intent owns, and does not give the node, is gone once the intent is applied: %s", got)
	}
	if v := verdict(t, read(t, home, podsOf("DaemonSet", "nodeSelector: {disk: ssd}"), liveNodes), "flaky"); v.Running != Removed || v.State() != "no" {
		t.Errorf("a DaemonSet's pods are removed where its selector does not match: %+v", v)
	}
}

func TestResources(t *testing.T) {
	gpu := "containers: [{name: a, resources: {limits: {gpu.intel.com/i915: 1}}}]"
	cases := map[string]struct{ kind, spec, intent, live string }{
		"an extended resource is unknown until the nodes are given": {"Deployment", gpu, "good=? spare=?", "good=yes spare=?"},
		"more than a node has": {"Deployment", "containers: [{name: a, resources: {requests: {cpu: 16}}}]", "good=yes spare=yes", "good=no spare=yes"},
		"two of one":           {"Deployment", "containers: [{name: a, resources: {limits: {gpu.intel.com/i915: 2}}}]", "good=? spare=?", "good=no spare=?"},
		"a resource of Kubernetes' own is not extended": {"Deployment", "containers: [{name: a, resources: {limits: {hugepages-2Mi: 2Mi}}}]", "good=yes spare=yes", "good=no spare=yes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			render := podsOf(c.kind, c.spec)
			if got := states(t, read(t, home, render, ""), "good", "spare"); got != c.intent {
				t.Errorf("by the intent: %s, want %s", got, c.intent)
			}
			if got := states(t, read(t, home, render, liveNodes), "good", "spare"); got != c.live {
				t.Errorf("with the nodes: %s, want %s", got, c.live)
			}
		})
	}
	tolerant := "tolerations: [{operator: Exists}]\n" + gpu
	v := verdict(t, read(t, home, podsOf("Deployment", tolerant), liveNodes), "flaky")
	if !strings.HasPrefix(codes(v), "blocks:resource-missing") {
		t.Errorf("no device plugin there: %s", codes(v))
	}
	bound := verdict(t, read(t, home, podsOf("Pod", "nodeName: flaky\n"+tolerant), liveNodes), "flaky")
	if bound.State() != "yes" {
		t.Errorf("the kubelet starts a pod without the extended resource that the node does not have: %+v", bound)
	}
}
