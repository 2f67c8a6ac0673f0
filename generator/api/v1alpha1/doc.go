// Package v1alpha1 holds Berth's kinds: what a person writes into Git.
//
// A file's bytes become YAML nodes, the nodes become a typed object (strictly, by package strict: an unknown field is an
// error with its line), defaults are filled in, and the object is validated by the rules of the Kubernetes API.
// ReadTaintIntents and TaintIntentFromNode do all of it, so that no other package checks again; CheckTogether then
// compares the intents of one run. Every error is a strict.Problems, one line for each fault.
//
// The JSON Schema below schema/ is generated from the types, their comments and tags: go test -update rewrites it.
package v1alpha1
