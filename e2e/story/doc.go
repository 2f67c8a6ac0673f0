// Package story tells the whole of Berth as one test, on a real control plane with Flux's kustomize-controller and a node with a real
// kubelet.
//
//	story_test.go    what happens, step by step
//	site_test.go     the cluster and its nodes
//	commit_test.go   the repository: what somebody commits, and how Flux takes it
//	look_test.go     where pods are, and what they say
//
// testdata holds the repository of a home lab as it was before Berth, and what is committed later, by folder:
//
//	repo/            before: the clickhouse-operator lands on a flaky node, and Plex cannot open the GPU that it sees
//	default-deny/    the intent, berth.yaml, and the lines that refer to what berth generate writes
//	device/          the device plugin, at its first stage
//
// The nodes are kai-desktop-tower, with a kubelet, containerd and a card that is made up, and two plain Node objects, whose pods are run
// by package world. Images from registries are stand-ins, except that of the device plugin: it is the one that `make image` builds, by
// the digest that the manifest pins.
package story
