package flux

import (
	"fmt"
	"testing"
)

func TestEntrypointsAreFound(t *testing.T) {
	ks := func(file, name, path string) string {
		return fmt.Sprintf("\n-- %s --\n{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: %s, namespace: flux-system}, spec: {path: %s, sourceRef: {kind: GitRepository, name: flux-system}}}\n", file, name, path)
	}
	resources := func(file, entries string) string {
		return fmt.Sprintf("\n-- %s --\nresources: [%s]\n", file, entries)
	}
	cases := []struct{ name, files, want string }{
		{"none in a repository without Flux", resources("app/kustomization.yaml", "a.yaml"), "[]"},
		{
			"what flux bootstrap commits",
			ks("clusters/home/flux-system/gotk-sync.yaml", "flux-system", "./clusters/home") + ks("clusters/home/apps.yaml", "apps", "./apps"),
			"[home=clusters/home]",
		},
		{
			"overlays of a base, and not the base",
			ks("clusters/base/apps.yaml", "apps", "./apps") + resources("clusters/base/kustomization.yaml", "apps.yaml") +
				resources("clusters/dev/kustomization.yaml", "../base") + resources("clusters/prod/kustomization.yaml", "../base"),
			"[dev=clusters/dev prod=clusters/prod]",
		},
		{
			"not what another Kustomization leads to",
			ks("flux/apps.yaml", "apps", "./apps") + ks("apps/web/ks.yaml", "web", "./apps/web/app"),
			"[flux=flux]",
		},
		{
			"the path that a FluxInstance syncs",
			"\n-- bootstrap/instance.yaml --\n{apiVersion: fluxcd.controlplane.io/v1, kind: FluxInstance, metadata: {name: flux}, spec: {sync: {path: kubernetes/main}}}\n" +
				ks("kubernetes/main/apps.yaml", "apps", "./apps"),
			"[main=kubernetes/main]",
		},
		{
			"folders of one name, told apart by what is above them",
			ks("a/cluster/apps.yaml", "apps", "./apps") + ks("b/cluster/apps.yaml", "apps", "./apps"),
			"[a/cluster=a/cluster b/cluster=b/cluster]",
		},
		{
			"the root", ks("apps.yaml", "apps", "./apps"), "[.=.]",
		},
		{
			"bases in a circle end the search", ks("a/apps.yaml", "apps", "./apps") + resources("a/kustomization.yaml", "apps.yaml, ../b") + resources("b/kustomization.yaml", "../a"), "[]",
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			got := []string{}
			for _, e := range Discover(openText(t, tc.files)) {
				got = append(got, e.Name+"="+e.Path)
				if e.Why == "" {
					t.Errorf("%s: nothing says why", e.Path)
				}
			}
			if fmt.Sprint(got) != tc.want {
				t.Errorf("got %v, want %s", got, tc.want)
			}
		})
	}
}
