// Package agreement holds berth explain against the components of a running control plane: the API server, the scheduler,
// the DaemonSet controller and the taint eviction controller, for a seeded table of workloads and nodes.
//
//	table_test.go      the workloads and the nodes, a few for each class of package placementtest
//	cluster_test.go    a control plane, and its nodes: first without taints, then with all that the table gives them
//	running_test.go    pods that run before the taints come: who is deleted, when, and by whom
//	starting_test.go   pods that come afterwards: who is bound to a node, and who is told that it cannot be
//	explain_test.go    what berth explain --live says of the same render
//	agreement_test.go  the comparison of each pair
//	page_test.go       the counts, which docs/placement-agreement.md shows; -update rewrites them
//
// A pod is held to one node by a term on metadata.name, as the DaemonSet controller does, so that each pair has an answer of
// its own. No pod takes away what another one asks for.
package agreement
