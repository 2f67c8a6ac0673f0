package placement

import "testing"

// What each effect does to pods, by the way in which they come to a node.
func TestEffects(t *testing.T) {
	const all = "good flaky gpu slow"
	cases := map[string]struct{ kind, spec, want string }{
		"a Deployment without tolerations stays off NoSchedule, is evicted by NoExecute and avoids PreferNoSchedule": {
			"Deployment", "containers: []", "good=yes flaky=no gpu=evict slow=avoid"},
		"a toleration by key and value opens the node": {
			"Deployment", "tolerations: [{key: berth.dev/wsl, value: flaky, effect: NoSchedule}]", "good=yes flaky=yes gpu=evict slow=avoid"},
		"a toleration of another value opens nothing": {
			"Deployment", "tolerations: [{key: berth.dev/wsl, value: other, effect: NoSchedule}]", "good=yes flaky=no gpu=evict slow=avoid"},
		"a toleration of another effect opens nothing": {
			"Deployment", "tolerations: [{key: berth.dev/wsl, operator: Exists, effect: NoExecute}]", "good=yes flaky=no gpu=evict slow=avoid"},
		"a blanket toleration of one effect opens every taint of it": {
			"Deployment", "tolerations: [{operator: Exists, effect: NoSchedule}]", "good=yes flaky=yes gpu=evict slow=avoid"},
		"a blanket toleration opens everything": {
			"CronJob", "tolerations: [{operator: Exists}]", "good=yes flaky=yes gpu=yes slow=yes"},
		"a toleration that ends evicts later": {
			"StatefulSet", "tolerations: [{key: berth.dev/gpu, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]", "good=yes flaky=no gpu=60s slow=avoid"},
		"the first toleration that matches decides how long, as in the eviction controller": {
			"Job", "tolerations: [{key: berth.dev/gpu, operator: Exists, effect: NoExecute, tolerationSeconds: 60}, {operator: Exists}]", "good=yes flaky=yes gpu=60s slow=yes"},
		"negative seconds are none": {
			"Job", "tolerations: [{key: berth.dev/gpu, operator: Exists, effect: NoExecute, tolerationSeconds: -1}]", "good=yes flaky=no gpu=0s slow=avoid"},
		"a DaemonSet has no choice of nodes, so that PreferNoSchedule means nothing to it": {
			"DaemonSet", "containers: []", "good=yes flaky=no gpu=evict slow=yes"},
		"a pod with nodeName goes past NoSchedule": {
			"Pod", "nodeName: flaky", "good=no flaky=yes gpu=evict slow=no"},
		"a pod with nodeName does not go past NoExecute": {
			"Pod", "nodeName: gpu", "good=no flaky=no gpu=evict slow=no"},
		"a DaemonSet with nodeName is still kept away by NoSchedule": {
			"DaemonSet", "nodeName: flaky", "good=no flaky=no gpu=evict slow=no"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := states(t, read(t, home, podsOf(c.kind, c.spec), ""), fieldsOf(all)...)
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAStaticPodIsKeptAwayByNoTaint(t *testing.T) {
	for _, annotation := range []string{"kubernetes.io/config.source: file", "kubernetes.io/config.mirror: abc"} {
		pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: web, annotations: {" + annotation + "}}\nspec: {nodeName: gpu}\n"
		got := states(t, read(t, home, pod, ""), "gpu", "good")
		if got != "gpu=yes good=no" {
			t.Errorf("%s: %s", annotation, got)
		}
	}
	api := "apiVersion: v1\nkind: Pod\nmetadata: {name: web, annotations: {kubernetes.io/config.source: api}}\nspec: {nodeName: gpu}\n"
	if got := states(t, read(t, home, api, ""), "gpu"); got != "gpu=evict" {
		t.Errorf("a pod from the API: %s", got)
	}
}

func TestTaintsOfControllers(t *testing.T) {
	node := func(taints string) string {
		return "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\nspec: {" + taints + "}\n"
	}
	cases := map[string]struct{ kind, spec, node, want string }{
		"one taint that evicts at once outweighs one that waits": {"Deployment", "tolerations: [{key: b, effect: NoExecute, tolerationSeconds: 60}]", "taints: [{key: a, effect: NoExecute}, {key: b, effect: NoExecute}]", "evict"},
		"the shortest wait counts":                               {"Deployment", "tolerations: [{key: b, effect: NoExecute, tolerationSeconds: 60}, {key: a, effect: NoExecute, tolerationSeconds: 30}]", "taints: [{key: a, effect: NoExecute}, {key: b, effect: NoExecute}]", "30s"},
		"a cordon keeps a Deployment away":                       {"Deployment", "containers: []", "unschedulable: true", "no"},
		"a cordon's taint alone is a cordon":                     {"Deployment", "containers: []", "taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]", "no"},
		"a DaemonSet tolerates a cordon":                         {"DaemonSet", "containers: []", "unschedulable: true", "yes"},
		"a blanket toleration tolerates a cordon":                {"Deployment", "tolerations: [{operator: Exists, effect: NoSchedule}]", "unschedulable: true", "yes"},
		"nodeName goes past a cordon":                            {"Pod", "nodeName: node-1", "unschedulable: true", "yes"},
		"every pod gets 300 s on a node not ready":               {"Deployment", "containers: []", "taints: [{key: node.kubernetes.io/not-ready, effect: NoExecute}]", "300s"},
		"its own entry for that counts":                          {"Deployment", "tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 5}]", "taints: [{key: node.kubernetes.io/not-ready, effect: NoExecute}]", "5s"},
		"a DaemonSet stays on a node not ready":                  {"DaemonSet", "containers: []", "taints: [{key: node.kubernetes.io/unreachable, effect: NoExecute}]", "yes"},
		"a DaemonSet's own seconds are overwritten":              {"DaemonSet", "tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 5}]", "taints: [{key: node.kubernetes.io/not-ready, effect: NoExecute}]", "yes"},
		"disk pressure keeps a DaemonSet not away":               {"DaemonSet", "containers: []", "taints: [{key: node.kubernetes.io/disk-pressure, effect: NoSchedule}]", "yes"},
		"no network keeps a DaemonSet away":                      {"DaemonSet", "containers: []", "taints: [{key: node.kubernetes.io/network-unavailable, effect: NoSchedule}]", "no"},
		"unless it is on the host's network":                     {"DaemonSet", "hostNetwork: true", "taints: [{key: node.kubernetes.io/network-unavailable, effect: NoSchedule}]", "yes"},
		"the DaemonSet controller knows no own taint":            {"DaemonSet", "containers: []", "taints: [{key: example.com/x, effect: NoSchedule}]", "no"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			v := verdict(t, read(t, "", podsOf(c.kind, c.spec), node(c.node)), "node-1")
			if v.State() != c.want {
				t.Errorf("got %s, want %s: %+v", v.State(), c.want, v.Reasons)
			}
		})
	}
}
