// Package v1alpha1 holds Berth's kinds: what a person writes into Git.
//
// A file's bytes become YAML nodes, the nodes become a typed object (strictly: an unknown field is an error with its
// line), defaults are filled in, and the object is validated by the rules of the Kubernetes API. Only an object that
// passed all of it leaves this package, so that no other package checks again.
package v1alpha1
