package podspec

import "fmt"

// unable are kinds that run pods and cannot give them a toleration, or that people take for carriers, and why.
var unable = []struct{ group, kind, why string }{
	{"volsync.backube", "ReplicationSource", "VolSync's movers take an affinity (moverAffinity) and no tolerations, so a mover cannot run on a tainted node; keep the volume on another node"},
	{"volsync.backube", "ReplicationDestination", "VolSync's movers take an affinity (moverAffinity) and no tolerations, so a mover cannot run on a tainted node; keep the volume on another node"},
	{"helm.toolkit.fluxcd.io", "HelmRelease", "it does not say where its chart keeps tolerations; name the place in helm.values, such as [tolerations], or the pods in helm.pods"},
	{"helm.cattle.io", "HelmChart", "its install Job takes no tolerations (spec.bootstrap: true gives it a fixed list), and its chart keeps them where it wants; name the place in helm.values, such as [tolerations]"},
	{"helm.cattle.io", "HelmChartConfig", "its chart keeps tolerations where it wants; name the place in helm.values, such as [tolerations]"},
	{"kustomize.toolkit.fluxcd.io", "Kustomization", "it has no pods of its own; name those that it applies in pods, and its patches change them"},
	{"argoproj.io", "Application", "it does not say where its source keeps tolerations; name the place in helm.values, or the pods in pods"},
	{"", "Node", "a node carries taints, not tolerations; name it in spec.nodes"},
	{"", "Namespace", "a namespace has no pods of its own; name the workloads in it"},
}

// refused explains why a kind carries no tolerations, or returns nil for one that does.
func refused(o Object) error {
	for _, u := range unable {
		if u.group == Group(o.APIVersion) && u.kind == o.Kind {
			return fmt.Errorf("%s of %s carries no tolerations: %s", o.Kind, o.APIVersion, u.why)
		}
	}
	if len(known(o)) == 0 {
		return fmt.Errorf("%s of %s is not a kind that is known to carry tolerations; name the place in paths, such as [spec.tolerations], if it is one of your own", o.Kind, o.APIVersion)
	}
	return nil
}
