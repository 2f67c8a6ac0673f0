// Package harness starts a control plane and nodes for tests.
//
//	Tools        finds the binaries, and says what is missing
//	Cluster      etcd and kube-apiserver with certificates of their own, and clients for them
//	Node         a mount namespace with containerd and a kubelet in it; both can be stopped and started again
//	Flux         kustomize-controller, and Sources in the place of source-controller: Publish gives it a new revision of a folder
//	k3s.go       what k3s does with a drop-in, and a bare kubelet does not
//	Process      a program with its log, ended by its process id
//
// What it starts ends with the test, the namespace even when the test is killed: the process that holds it waits for a pipe to close.
package harness
