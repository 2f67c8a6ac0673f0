// Package world stands in for what is not there on a cluster without machines: kubelets, a storage provisioner, helm-controller, and the
// operators whose objects clusters/ applies.
//
//	pods.go       a pod that the scheduler has placed runs and is ready; one that is deleted goes
//	volumes.go    a claim that waits gets a volume
//	helm.go       a HelmRelease becomes ready, and the CRDs of its chart are there
//	operators.go  a controller that runs, and meets its object, makes the CRDs that it makes
//
// A CRD comes into being only when what brings it has been applied, and never earlier, so that a repository with a wrong order fails here
// as it does in a cluster. The CRDs of third parties take any fields: their kinds matter here, not their schemas.
package world
