// Package placementtest makes random nodes and workloads for tests of package placement.
//
// From a seeded source come Kubernetes objects over a small vocabulary, so that taints and tolerations, labels and
// affinities meet often (node.go, pod.go, affinity.go), and their text as a render holds it (text.go). The same objects
// are given to Kubernetes' own code, as types, and to package placement, as text.
package placementtest
