// Package bundle makes the files that work without any plugin: what Flux, Ansible and people use.
//
// For each intent, in the order given, the render's items are edited (package toleration), so that a later intent sees
// what an earlier one did. From the edits comes a kustomize Component with guarded patches (component.go); from the
// intents come the drop-ins of the nodes (package k3s), a record to be applied (record.go) and a script (script.go).
// Files returns them all, sorted by path; nothing is written here.
package bundle
