package v1alpha1

import "strings"

// controllers lists the taint keys that a controller adds and removes by itself, and who that is. A key that ends in a
// slash stands for everything below it.
//
// Sources: k8s.io/api/core/v1/well_known_taints.go, k8s.io/cloud-provider/api/well_known_taints.go, cluster-autoscaler
// utils/taints, karpenter.sh/docs, docs.cilium.io (Installation, Taint Effects).
var controllers = []struct{ key, owner string }{
	{"node.kubernetes.io/not-ready", "the node lifecycle controller"},
	{"node.kubernetes.io/unreachable", "the node lifecycle controller"},
	{"node.kubernetes.io/unschedulable", "kubectl cordon and the node lifecycle controller"},
	{"node.kubernetes.io/memory-pressure", "the node lifecycle controller"},
	{"node.kubernetes.io/disk-pressure", "the node lifecycle controller"},
	{"node.kubernetes.io/pid-pressure", "the node lifecycle controller"},
	{"node.kubernetes.io/network-unavailable", "the node lifecycle controller"},
	{"node.kubernetes.io/out-of-service", "whoever recovers a node that is shut down"},
	{"node.cloudprovider.kubernetes.io/uninitialized", "the cloud controller manager"},
	{"node.cloudprovider.kubernetes.io/shutdown", "the cloud controller manager"},
	{"ToBeDeletedByClusterAutoscaler", "the cluster autoscaler"},
	{"DeletionCandidateOfClusterAutoscaler", "the cluster autoscaler"},
	{"karpenter.sh/", "Karpenter"},
	{"node.cilium.io/agent-not-ready", "the Cilium operator"},
}

// controllerOf names the controller that owns a taint key, or nothing.
func controllerOf(key string) string {
	for _, c := range controllers {
		if key == c.key || strings.HasSuffix(c.key, "/") && strings.HasPrefix(key, c.key) {
			return c.owner
		}
	}
	return ""
}
