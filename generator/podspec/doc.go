// Package podspec knows carriers: where each kind keeps the scheduling fields of its pods.
//
// An object's group and kind select patterns: those of Kubernetes' own kinds (builtin.go), those of custom resources whose
// schema shows them (catalog.go, catalog.txt), and those of custom resources whose schema hides them (opaque.go). A
// pattern is laid over the object's tree and yields slots, one for each list of tolerations, with the place of the node
// affinity where it is known (affinity.go). What is not there, and must not be made because it would switch a feature on,
// is listed as absent (create.go). A List is opened and its items are carriers in their own right.
//
// What a kind does not say itself comes from the intent: paths in the object (paths.go), values of a chart, which may be
// text inside the object (values.go, argo.go), pods that something else renders and that a patch in the object can change
// (pods.go). Of well-known charts the package knows which values they read (charts.go). Kinds that cannot carry a
// toleration say why (refused.go, packaged.go).
//
// Another kind is another row. The package reads trees and changes nothing.
package podspec

//go:generate go run ../../tools/crdcatalog -in $BERTH_CRD_PATHS -out catalog.txt -source "datreeio/CRDs-catalog @7b1e26ef (2026-08-20)"
