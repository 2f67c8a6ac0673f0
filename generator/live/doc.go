// Package live is about a running cluster: what its nodes really have, what an intent would change, and the change.
//
//	Cluster    the connection; every error says which server, and which right is missing (cluster.go, fault.go)
//	Snapshot   nodes, pods, volumes and workloads, read once (snapshot.go, read.go, workload.go)
//	Follow     looks at a snapshot again after every change, by watches that survive a break (follow.go, watch.go, mirror.go)
//	Compare    intents and a snapshot -> Diff: four layers for each node, and findings (compare.go, layers.go, check_*.go)
//	NewPlan    intents and a snapshot -> Plan: the steps in their safe order, and what is not safe yet (plan*.go)
//	Apply      carries a plan out: dry run, one node after the other, verify (apply.go, change.go)
//
// What a node gets is decided in one pure place (merge.go): the node as it was read, what the intents want and what
// Berth owns there (ownership.go) give the list of taints and the labels that the node should have. Every write carries
// the resource version of what was read, and starts from a new read when somebody else was faster: spec.taints is one
// atomic list that many controllers write (k8s.io/api/core/v1, +listType=atomic), and a patch without a resource version
// loses their taints (kubernetes/kubernetes#126755).
//
// The package uses the dynamic client: the typed one registers every kind of Kubernetes when the program starts, and
// kustomize starts Berth for every build.
package live
