// Package placement says whether a workload may run on a node, and why.
//
// Nodes come from taints intents, and from Node objects where there are any (node.go, nodeobject.go); workloads come
// from a render (workloads.go), each with the scheduling fields of its pods as Kubernetes types (podspec.go, decode.go)
// and compiled once for every workload that says the same (pod.go). Decide goes through what can keep a pod away: the
// node it names, taints, selector and affinity, resources, volumes (decide.go and a file for each), and collects every
// reason. A Matrix holds the verdicts of all workloads on all nodes (matrix.go); nodes that nobody can tell apart are
// decided once. Moves are the cells in which two matrices differ (moves.go).
//
// Answers have three values. An intent does not list a node's labels, and a ${...} is replaced after Berth is done: what
// depends on them is unknown, and never guessed.
//
// The rules are those of Kubernetes 1.36: the scheduler's filters NodeName, NodeUnschedulable, TaintToleration,
// NodeAffinity, NodeResourcesFit and VolumeBinding, the kubelet's admission, the DaemonSet controller and the taint
// eviction controller. Matching itself is done by Kubernetes' own libraries. Not looked at: what other pods use up,
// affinity between pods, topology spread, ports, and admission by webhooks.
package placement
