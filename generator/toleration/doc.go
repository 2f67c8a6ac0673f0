// Package toleration turns a taints intent and a render into edits, and the edits into patches.
//
// Apply goes through the intent's entries in order (entry.go, apply.go). Each entry selects objects of the render (package
// edit), each object has slots (package podspec, carry.go), and each slot's list of tolerations is read (slot.go, list.go),
// from YAML in a string of the object where it stands there (text.go), or from Longhorn's line (line.go). For an allow entry
// the list is completed (allow.go), and the workload is drawn to the nodes when the entry says so (attract.go); for a deny
// entry whose list would defeat the taint a required node affinity is written (deny.go, affinity.go, terms.go). A pod that
// something else renders is changed by a patch in the object that does (pod.go, patches.go, earlier.go).
//
// An edit holds the place, the value found there and the value written (package edit), so that it can be expressed as a
// kustomize patch that fails where the base has changed. Overlays does the same work on values files (overlay.go).
//
// Everything that was done, or could not be done, is a finding, and so are tolerations that come from elsewhere (hidden.go).
// Nothing is ever removed from a list.
package toleration
