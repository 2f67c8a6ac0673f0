package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// child is a workload of the HelmRelease flux/stack and of an operator's object, with the scheduling fields of its pods.
func child(kind, name, fields string) string {
	return fmt.Sprintf(`---
apiVersion: apps/v1
kind: %s
metadata: {namespace: shop, name: %s, labels: {helm.toolkit.fluxcd.io/name: stack, helm.toolkit.fluxcd.io/namespace: flux}, ownerReferences: [{apiVersion: clickhouse.altinity.com/v1, kind: ClickHouseInstallation, name: stack, uid: a}]}
spec: {replicas: 0, template: {spec: {%s}}}
`, kind, name, fields)
}

// childPod is a pod of a StatefulSet on the tower.
func childPod(of string) string {
	return fmt.Sprintf(`---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: %s-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: %s, uid: a}]}
spec: {nodeName: kai-desktop-tower}
`, of, of)
}

func TestEveryChildThatCouldLandThereHasToTolerate(t *testing.T) {
	const tolerates = "tolerations: [{key: berth.dev/wsl, operator: Exists}]"
	const object = "- workload: {kind: ClickHouseInstallation, namespace: shop, name: stack}\n      tolerate: [wsl]\n      reason: x\n"
	const release = "- workload: {kind: HelmRelease, namespace: flux, name: stack}\n      tolerate: [wsl]\n      reason: x\n"
	one := child("DaemonSet", "agent", tolerates)
	cases := map[string]struct {
		entry, cluster string
		want           []string // the children that are named
	}{
		"all of them do":                   {object, one + child("Deployment", "web", tolerates), nil},
		"one does and others do not":       {object, one + child("Deployment", "web", "") + child("StatefulSet", "db", ""), []string{"Deployment shop/web", "StatefulSet shop/db"}},
		"none does":                        {object, child("Deployment", "web", ""), []string{"Deployment shop/web"}},
		"one that a selector keeps away":   {object, one + child("Deployment", "web", "nodeSelector: {kubernetes.io/hostname: kai-server}"), nil},
		"one that wants what is not there": {object, one + child("Deployment", "web", "containers: [{name: c, resources: {limits: {example.com/gpu: 1}}}]"), nil},
		"one that is denied by itself": {object + "  deny:\n    - workload: {kind: Deployment, namespace: shop, name: web}\n      reason: not there\n",
			one + child("Deployment", "web", ""), nil},
		"pods that the entry names": {strings.Replace(release, "tolerate:", "helm: {pods: [{kind: DaemonSet, name: agent}]}\n      tolerate:", 1),
			child("DaemonSet", "agent", "") + child("Deployment", "web", ""), []string{"DaemonSet shop/agent"}},
		"a list of values, and a workload that is not there now": {strings.Replace(release, "tolerate:", "helm: {values: [agent.tolerations]}\n      tolerate:", 1),
			one + child("StatefulSet", "db", ""), nil},
		"a list of values, and a workload that the taint would take off": {strings.Replace(release, "tolerate:", "helm: {values: [agent.tolerations]}\n      tolerate:", 1),
			one + child("StatefulSet", "db", "") + childPod("db"), []string{"StatefulSet shop/db"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			head, _, _ := strings.Cut(home, "    - workload")
			intent := head + "    " + c.entry
			nodes := strings.ReplaceAll(homeNodes, "}\n", "}\nstatus: {allocatable: {cpu: 4}}\n")
			_, cluster := serve(t, strings.Replace(nodes, "{name: kai-desktop-tower}", "{name: kai-desktop-tower, labels: {kubernetes.io/hostname: kai-desktop-tower}}", 1)+c.cluster)
			var named []string
			for _, step := range plan(t, cluster, intent, PlanOptions{}).Steps {
				for _, b := range step.Blockers {
					if b.Code == "toleration-missing" && strings.Contains(b.Message, "stack") {
						named = append(named, b.Object.String())
					}
				}
			}
			if diff := cmp.Diff(c.want, named); diff != "" {
				t.Error(diff)
			}
		})
	}
}
