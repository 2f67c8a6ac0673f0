// Package remote finds in a kustomization.yaml what kustomize would fetch in a build, so that a check can do without.
//
// kustomize clones what stands for a repository under resources:, components:, bases:, generators:, transformers: and
// validators:, and fetches http and https URLs wherever it takes a file. Find tells the two apart: a base can be left out of a
// build, which is then known in part, while without a file the build would mean something else.
package remote
