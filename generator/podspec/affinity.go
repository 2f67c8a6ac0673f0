package podspec

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/tree"
)

// besideAffinity are the custom resources in which Kubernetes' Affinity stands beside each list of tolerations, by API
// group; a kind in lower case after a slash narrows it down.
//
// Source: the Go types of the projects' APIs.
var besideAffinity = []string{
	"argoproj.io/clusterworkflowtemplate", "argoproj.io/cronworkflow", "argoproj.io/workflow", "argoproj.io/workflowtemplate",
	"cdi.kubevirt.io", "dragonflydb.io", "gateway.envoyproxy.io", "k6.io", "k8s.mariadb.com", "kafka.strimzi.io",
	"kubevirt.io", "minio.min.io", "monitoring.coreos.com", "opentelemetry.io", "operator.victoriametrics.com",
	"postgres-operator.crunchydata.com", "redis.redis.opstreelabs.in", "tailscale.com", "tekton.dev",
}

// besideNodeAffinity are those in which Kubernetes' NodeAffinity itself stands there: CloudNativePG's affinity, Zalando's
// postgresql, Rook's placement.
var besideNodeAffinity = []string{"acid.zalan.do/postgresql", "ceph.rook.io", "postgresql.cnpg.io/cluster"}

// placeAffinity sets the places of the affinities that belong to a list of tolerations, where they are known.
func (s *Slot) placeAffinity(o Object) {
	switch inside := s.Tolerations[len(o.At):]; {
	case o.Kind == "RuntimeClass" && Group(o.APIVersion) == "node.k8s.io":
	case find(builtin, Group(o.APIVersion), o.Kind) != nil, endsInPodSpec(inside), lists(besideAffinity, o):
		s.Affinity = s.Tolerations.Beside("affinity")
		s.NodeAffinity = s.Affinity.Join("nodeAffinity")
	case lists(besideNodeAffinity, o):
		s.NodeAffinity = s.Tolerations.Beside("nodeAffinity")
	}
}

// endsInPodSpec tells whether a list stands in the spec of a pod template, which is Kubernetes' own type wherever it is.
func endsInPodSpec(path tree.Path) bool {
	if len(path) < 3 || path[len(path)-1] != "tolerations" || path[len(path)-2] != "spec" {
		return false
	}
	template := path[len(path)-3]
	if _, within := strings.CutSuffix(template, "emplate"); within { // template, podTemplate, listenerTemplate
		return true
	}
	return len(path) > 3 && strings.HasSuffix(path[len(path)-4], "emplates") // podTemplates[]
}

func lists(table []string, o Object) bool {
	group := Group(o.APIVersion)
	return group != "" && (slices.Contains(table, group) || slices.Contains(table, group+"/"+strings.ToLower(o.Kind)))
}
