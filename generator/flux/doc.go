// Package flux knows what Flux would apply from a Git checkout, and in which order, without a cluster, keys or network.
//
// How data flows:
//
//	Open(dir)          Checkout      the files that source-controller would put into the artifact, read only
//	Discover(checkout) Entrypoints   the folders that Flux is pointed at, for a repository that does not say so
//	Read(checkout)     Environment   everything below one entrypoint: Kustomizations, their objects, HelmReleases, sources
//	env.Graph()        Graph         dependsOn edges, reconcile order, cycles, and what stalls behind what
//
// Read starts with the entrypoint and builds every Flux Kustomization that comes out of a build (walk.go). A build is that of
// kustomize-controller, made by its own library (build.go, openapi.go), on a view of the checkout that nothing writes to
// (filesystem.go). Variables are replaced by the controller's own library and rules (substitute.go), with the ConfigMaps
// and Secrets that the environment itself builds (values.go).
//
// Whatever cannot be built, or can be built only in part, is data: a Kustomization has Problems, an Environment has Unseen
// parts. An error of this package means that the checkout itself cannot be read.
package flux
