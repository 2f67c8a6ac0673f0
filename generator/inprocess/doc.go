// Package inprocess builds a kustomization with Berth's function in the same process: what `kustomize build` makes of it
// when it may run plugins, without a plugin.
//
// kustomize's library has no hook for a function, so that the tree of kustomizations is rewritten before the library sees
// it, in memory (overlay.go). Berth's entries under transformers: are cut out of each kustomization (cut.go). What is left
// is built, which is what the function would have been given; the function runs; and what it changed and added becomes
// patches and resources of a kustomization that stands around the first one (wrap.go, diff.go). The tree is walked from
// the leaves to the root, Components with what their parents had gathered before them (walk.go). In the end the library
// builds the rewritten root, so that name references, hashes and prefixes of the levels above go their usual way.
//
// What cannot be said that way is an error that says so, and what to do: another transformer or a validator behind
// Berth's, origin annotations.
package inprocess
