// Package placementtest makes random nodes and workloads for tests of package placement.
//
// From a seeded source come Kubernetes objects over a small vocabulary, so that taints and tolerations, labels and
// affinities meet often (node.go, pod.go, affinity.go), and their text as a render holds it (text.go). Classes are specs in
// which one feature decides, so that a test can demand that each feature was met with both answers (class.go,
// tolerations.go); Settle makes a node of one that the controllers of a running cluster leave as it is (settle.go).
//
// The same objects are given to Kubernetes' own code or to a running cluster, and as text to Berth.
package placementtest
