// Package toleration turns a taints intent and a render into edits, and the edits into patches.
//
// Apply goes through the intent's entries in order. Each entry selects objects of the render (target.go), each object
// has slots (package podspec), and each slot's list of tolerations is read (list.go). For an allow entry the list is
// completed (allow.go); for a deny entry whose list would defeat the taint a required node affinity is written beside
// it (deny.go, affinity.go). An Edit holds the place, the value found there and the value written, so that the same
// edit can be expressed as a kustomize patch that fails where the base has changed (patch.go).
//
// Everything that was done, or could not be done, is a finding. Nothing is ever removed from a list.
package toleration
