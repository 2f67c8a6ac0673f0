// Package render reads the objects that a person points at: a kustomization directory, which is built as kustomize
// builds it, a file with a YAML stream or a ResourceList, or standard input.
//
// kustomize's library keeps global state and must not run twice at a time (kubernetes-sigs/kustomize#4824, #5805): Build
// holds a lock for the process.
package render
