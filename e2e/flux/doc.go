// Package flux tests what Berth says of Flux against kustomize-controller itself, on a real control plane with the real scheduler and
// controllers. Package world stands in for kubelets, charts and operators, and harness.Sources for source-controller.
//
//	dev_test.go           clusters/dev of this repository becomes ready, in the order that berth graph gives; pods are where they may be
//	stalls_test.go        each Kustomization is broken in turn: what stalls is what berth graph --stalls says
//	render_test.go        what the controller builds and applies is what berth render prints, to the byte
//	torture_test.go       the same for every form of substitution
//	deadlock_test.go      a CRD that a controller makes at run time, used in the same tier: the deadlock that berth check reports
//
// The tests of clusters/dev share a cluster.
package flux
