// Package scheduler holds Berth's placement against Kubernetes' own code: the scheduler's filter plugins, the DaemonSet
// controller, the kubelet's admission and the taint eviction controller, as libraries.
//
// Random nodes and workloads (package placementtest) go to Kubernetes as types and to package placement as text, and
// both must say the same of each pair.
package scheduler
