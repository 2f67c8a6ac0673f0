// Package e2e tests Berth against the real components of Kubernetes: etcd, kube-apiserver and kubelet built from their Go modules, and
// the containerd and runc of the distribution.
//
// Package harness starts them, each in a folder of its own and on loopback, and ends what it started by its process id. Everything that
// belongs to a node lives in a mount namespace of its own, where /var/lib/kubelet and /dev/dri are not the machine's. A machine that
// cannot do that, or cannot run containers, skips what needs it and says why.
//
// What needs a suite of its own stands in packages below: live for berth diff and apply, flux for kustomize-controller, with world in the
// place of what a cluster without machines does not have, and story for the whole as one test: render, apply with Flux, diff and apply, a
// node that registers again; advertise, confirm, consume. Package agreement holds berth explain against the scheduler and the controllers,
// package admission every manifest against the API server.
//
// `make e2e` builds the binaries and runs the tests.
package e2e
