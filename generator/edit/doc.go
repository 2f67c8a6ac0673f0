// Package edit changes places of objects, and says the same changes as patches.
//
// Targets lists the objects of a render, those inside Lists too (target.go). A change to a target's tree is made and
// remembered at once: Set writes a value, Remove takes one away, Guard only notes what stood at a place that a change
// relies on (edit.go). Patches turns what was remembered into JSON6902 patches in which every operation is preceded by a
// test of what was found, so that a base that has changed since fails the build instead of being changed wrongly
// (patch.go).
//
// What is changed, and why, is for the packages above: toleration and daemonset.
package edit
