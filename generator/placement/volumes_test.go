package placement

import (
	"strings"
	"testing"
)

func volume(name, claim, host string) string {
	text := "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: " + name + "}\nspec:\n  local: {path: /data}\n"
	if claim != "" {
		text += "  claimRef: {namespace: apps, name: " + claim + "}\n"
	}
	return text + "  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [" + host + "]}]}]}}\n---\n"
}

// A local volume holds its data on one node: the pod goes there or nowhere.
func TestVolumesOfOneNode(t *testing.T) {
	mount := "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"
	claim := "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: apps}\nspec: {volumeName: pv}\n---\n"
	sts := "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: apps}\nspec:\n  replicas: 2\n  volumeClaimTemplates: [{metadata: {name: data}}]\n  template: {spec: {containers: []}}\n"
	cases := map[string]struct{ render, want string }{
		"bound by the volume":                        {volume("pv", "data", "good") + podsOf("Deployment", mount), "good=yes spare=no"},
		"bound by the claim":                         {volume("pv", "", "good") + claim + podsOf("Deployment", mount), "good=yes spare=no"},
		"a volume that nobody claims binds nobody":   {volume("pv", "", "good") + podsOf("Deployment", mount), "good=yes spare=yes"},
		"a claim of the same name somewhere else":    {strings.Replace(volume("pv", "data", "good"), "apps", "other", 1) + podsOf("Deployment", mount), "good=yes spare=yes"},
		"two volumes on two nodes fit nowhere":       {volume("a", "data", "good") + volume("b", "more", "spare") + podsOf("Deployment", "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}, {name: w, persistentVolumeClaim: {claimName: more}}]"), "good=no spare=no"},
		"a StatefulSet's other pod may run anywhere": {volume("pv", "data-db-0", "good") + sts, "good=yes spare=yes"},
		"a StatefulSet whose pods are all bound":     {volume("a", "data-db-0", "good") + volume("b", "data-db-1", "good") + sts, "good=yes spare=no"},
		"each of its pods on another node":           {volume("a", "data-db-0", "good") + volume("b", "data-db-1", "spare") + sts, "good=yes spare=yes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := states(t, read(t, home, c.render, ""), "good", "spare"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestAVolumeOnATaintedNodeSaysBothReasons(t *testing.T) {
	c := read(t, home, volume("pv", "data", "flaky")+podsOf("Deployment", "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"), "")
	if got := codes(verdict(t, c, "flaky")); got != "blocks:untolerated-taint permits:volume-reachable" {
		t.Error(got)
	}
	if got := codes(verdict(t, c, "good")); got != "blocks:volume-elsewhere" {
		t.Error(got)
	}
}
