package world

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/berth-dev/berth/e2e/harness"
)

var helmReleases = namespaced("helm.toolkit.fluxcd.io", "v2", "HelmRelease")

// charts are the CRDs that a chart, or the operator that it installs, brings, as far as clusters/ uses them.
var charts = map[string][]kind{
	"cilium": {
		clusterWide("cilium.io", "v2", "CiliumLoadBalancerIPPool"),
		clusterWide("cilium.io", "v2alpha1", "CiliumL2AnnouncementPolicy"),
	},
	"cert-manager": {
		clusterWide("cert-manager.io", "v1", "ClusterIssuer"),
		namespaced("cert-manager.io", "v1", "Certificate"),
	},
}

// NeverReady is the name of a chart, and of an image, that never works.
const NeverReady = "berth.test/never-ready"

// release makes the HelmReleases ready, whose charts' CRDs are there by then.
func (w *World) release(ctx context.Context) error {
	releases, err := w.objects(ctx, helmReleases)
	if err != nil {
		return err
	}
	for i := range releases {
		o := &releases[i]
		chart, _, _ := unstructured.NestedString(o.Object, "spec", "chart", "spec", "chart")
		if chart == NeverReady || harness.IsReady(o) {
			continue
		}
		if err := w.bring(ctx, charts[chart]...); err != nil {
			return err
		}
		harness.SetReady(o, "InstallSucceeded")
		releases := w.client.Resource(helmReleases.resource()).Namespace(o.GetNamespace())
		if _, err := releases.UpdateStatus(ctx, o, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	return nil
}
