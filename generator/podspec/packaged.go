package podspec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// component is a packaged component of a distribution: objects of kube-system that it writes from files of its own.
type component struct {
	name string // as the disable option has it
	kind string
	// objects are the names of the objects.
	objects []string
	advice  string
}

const (
	ownInstead   = "disable it (disable: [%s] in config.yaml), bring your own, and list it in spec.disable of the intent"
	configObject = "write a HelmChartConfig of that name, with helm.values in the entry"
)

// packaged are the components whose tolerations people want to change.
//
// Sources: k3s-io/k3s manifests/*.yaml and docs (Managing Packaged Components); rancher/rke2 charts/chart_versions.yaml.
var packaged = map[v1alpha1.Distribution][]component{
	v1alpha1.K3s: {
		{"coredns", "Deployment", []string{"coredns"}, ownInstead},
		{"local-storage", "Deployment", []string{"local-path-provisioner"}, ownInstead},
		{"metrics-server", "Deployment", []string{"metrics-server"}, ownInstead},
		{"traefik", KindHelmChart, []string{"traefik", "traefik-crd"}, configObject},
	},
	v1alpha1.RKE2: {
		{"rke2-coredns", KindHelmChart, []string{"rke2-coredns"}, configObject},
		{"rke2-canal", KindHelmChart, []string{"rke2-canal"}, configObject},
		{"rke2-cilium", KindHelmChart, []string{"rke2-cilium"}, configObject},
		{"rke2-ingress-nginx", KindHelmChart, []string{"rke2-ingress-nginx"}, configObject},
		{"rke2-metrics-server", KindHelmChart, []string{"rke2-metrics-server"}, configObject},
		{"rke2-traefik", KindHelmChart, []string{"rke2-traefik"}, configObject},
	},
}

// DefaultsOf says in words which tolerations the distribution gives a packaged chart, for a slot that replaces them
// (k3s-io/k3s manifests/traefik.yaml).
func DefaultsOf(o Object, s Slot) string {
	if o.Kind != v1alpha1.KindHelmChartConfig || o.Namespace != "kube-system" || o.Name != "traefik" || s.Values.String() != "tolerations" {
		return ""
	}
	return "CriticalAddonsOnly with Exists, node-role.kubernetes.io/control-plane and node-role.kubernetes.io/master with Exists and NoSchedule"
}

// KindHelmChart is k3s's kind, which its helm-controller installs.
const KindHelmChart = v1alpha1.KindHelmChart

// The annotations by which a distribution's deploy controller knows what it applied (k3s-io/k3s pkg/deploy).
const (
	annotationOwnerGVK = "objectset.rio.cattle.io/owner-gvk"
	addon              = "k3s.cattle.io/v1, Kind=Addon"
)

// Packaged explains why an object must not be edited: the distribution writes it anew at each start. A component that
// the distribution was told to leave out is nobody's. It returns nil for every other object.
func Packaged(d v1alpha1.Distribution, disabled []string, o Object) error {
	if o.Annotations[annotationOwnerGVK] == addon {
		return fmt.Errorf("is a packaged component of %s, which writes it anew at each start (it carries the annotation %s): an edit would be lost", d, annotationOwnerGVK)
	}
	if o.Kind == "DaemonSet" && strings.HasPrefix(o.Name, "svclb-") && o.Namespace == "kube-system" {
		return fmt.Errorf("is made by ServiceLB, which resets it: allow the Service instead, whose annotation %s it reads", ServiceLBTolerations)
	}
	for _, c := range packaged[d] {
		if o.Kind != c.kind || o.Namespace != "kube-system" || !slices.Contains(c.objects, o.Name) || slices.Contains(disabled, c.name) {
			continue
		}
		advice := c.advice
		if strings.Contains(advice, "%s") {
			advice = fmt.Sprintf(advice, c.name)
		}
		return fmt.Errorf("has the name of a packaged component of %s, which writes it anew at each start, so that an edit would be lost; %s", d, advice)
	}
	return nil
}
