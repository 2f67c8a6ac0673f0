package podspec

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

func TestTheChartOfAnObjectIsNamedWithoutItsRepository(t *testing.T) {
	for name, c := range map[string]struct {
		o            Object
		object, want string
	}{
		"a HelmRelease":               {Object{APIVersion: "helm.toolkit.fluxcd.io/v2", Kind: "HelmRelease"}, "{spec: {chart: {spec: {chart: longhorn}}}}", "longhorn"},
		"a HelmRelease with chartRef": {Object{APIVersion: "helm.toolkit.fluxcd.io/v2", Kind: "HelmRelease"}, "{spec: {chartRef: {kind: OCIRepository, name: app-template}}}", "app-template"},
		"a HelmChart":                 {Object{APIVersion: "helm.cattle.io/v1", Kind: "HelmChart"}, "{spec: {chart: oci://example.com/charts/metallb}}", "metallb"},
		"a HelmChartConfig":           {Object{APIVersion: "helm.cattle.io/v1", Kind: "HelmChartConfig", Name: "traefik"}, "{}", "traefik"},
		"an Application":              {Object{APIVersion: "argoproj.io/v1alpha1", Kind: "Application"}, "{spec: {source: {chart: cilium}}}", "cilium"},
		"a Deployment":                {Object{APIVersion: "apps/v1", Kind: "Deployment"}, "{spec: {chart: x}}", ""},
		"an Application of a folder":  {Object{APIVersion: "argoproj.io/v1alpha1", Kind: "Application"}, "{spec: {source: {path: x}}}", ""},
	} {
		if got := ChartOf(yaml.MustParse(c.object).YNode(), c.o); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestAValueThatAKnownChartDoesNotReadIsInert(t *testing.T) {
	for _, c := range []struct {
		chart, value string
		inert        bool
	}{
		{"kube-prometheus-stack", "prometheus-node-exporter.tolerations", false},
		{"kube-prometheus-stack", "nodeExporter.tolerations", true},
		{"app-template", "controllers.main.pod.tolerations", false},
		{"app-template", "tolerations", true},
		{"nobody-knows-it", "x", false},
	} {
		slot, err := ValuesSlot(c.value)
		if err != nil {
			t.Fatal(err)
		}
		if got := Inert(c.chart, slot) != nil; got != c.inert {
			t.Errorf("%s %s: inert %t", c.chart, c.value, got)
		}
	}
}

func TestLonghornNeedsBothItsPlaces(t *testing.T) {
	for want, paths := range map[string][]string{
		"defaultSettings.taintToleration":                            {"longhornManager.tolerations"},
		"longhornManager.tolerations and longhornDriver.tolerations": {"defaultSettings.taintToleration"},
		"": {"longhornUI.tolerations", "defaultSettings.taintToleration"},
	} {
		var slots []Slot
		for _, path := range paths {
			slot, err := ValuesSlot(path)
			if err != nil {
				t.Fatal(err)
			}
			slots = append(slots, slot)
		}
		if got := LonghornHalf("longhorn", slots); got != want {
			t.Errorf("%v: %q", paths, got)
		}
		if got := LonghornHalf("other", slots); got != "" {
			t.Errorf("another chart: %q", got)
		}
	}
}

func TestPackagedComponentsAreNotForEditing(t *testing.T) {
	coredns := Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "kube-system", Name: "coredns"}
	applied := Object{Kind: "Deployment", Namespace: "x", Name: "y", Annotations: map[string]string{annotationOwnerGVK: addon}}
	svclb := Object{Kind: "DaemonSet", Namespace: "kube-system", Name: "svclb-traefik-1234"}
	elsewhere := coredns
	elsewhere.Namespace = "dns"
	for name, c := range map[string]struct {
		o        Object
		d        v1alpha1.Distribution
		disabled []string
		refused  bool
	}{
		"coredns on k3s":              {coredns, v1alpha1.K3s, nil, true},
		"coredns disabled":            {coredns, v1alpha1.K3s, []string{"coredns"}, false},
		"coredns on RKE2":             {coredns, v1alpha1.RKE2, nil, false},
		"coredns elsewhere":           {elsewhere, v1alpha1.K3s, nil, false},
		"what an Addon applied":       {applied, v1alpha1.K3s, []string{"y"}, true},
		"a DaemonSet of ServiceLB":    {svclb, v1alpha1.K3s, nil, true},
		"traefik's HelmChart":         {Object{Kind: "HelmChart", Namespace: "kube-system", Name: "traefik"}, v1alpha1.K3s, nil, true},
		"traefik's HelmChartConfig":   {Object{Kind: "HelmChartConfig", Namespace: "kube-system", Name: "traefik"}, v1alpha1.K3s, nil, false},
		"RKE2's HelmChart of coredns": {Object{Kind: "HelmChart", Namespace: "kube-system", Name: "rke2-coredns"}, v1alpha1.RKE2, nil, true},
	} {
		if err := Packaged(c.d, c.disabled, c.o); (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMisspelledServiceLBAnnotations(t *testing.T) {
	o := Object{APIVersion: "v1", Kind: "Service", Annotations: map[string]string{
		ServiceLBTolerations:                      "[]",
		"svccontroller.k3s.cattle.io/toleration":  "[]",
		"servicelb.k3s.cattle.io/tolerations":     "[]",
		"Svccontroller.k3s.cattle.io/Tolerations": "[]",
		"svccontroller.k3s.cattle.io/lbpool":      "a",
		"example.com/tolerations":                 "[]",
	}}
	if got := MisspelledServiceLB(o); len(got) != 3 {
		t.Errorf("%v", got)
	}
	o.Kind = "Deployment"
	if got := MisspelledServiceLB(o); got != nil {
		t.Errorf("%v", got)
	}
}
