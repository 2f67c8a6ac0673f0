// Package daemonset turns a DevicePlugin into the objects that run it and the edits of those who use it.
//
// Generate checks the plugin against what else there is: the nodes and taints of the intents (nodes.go), other plugins
// and other Flux Kustomizations (collide.go), and what was seen of the nodes (evidence.go: Prove, the one rule that decides
// whether consumers may be switched; every command that asks calls it). It makes the objects (objects.go, container.go,
// volumes.go, flux.go), typed as the Kubernetes API types them, and, at the stage consume, edits the consumers
// (consumer.go, switcher.go, pod.go, mounts.go, helm.go, postrender.go) through package edit, so that the same change can be a function's or a
// patch that Flux reads.
//
// Files writes all of it as plain files with a header (files.go). Nothing here reads a file or a cluster.
package daemonset
