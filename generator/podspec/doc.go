// Package podspec knows carriers: where each kind keeps the scheduling fields of its pods.
//
// An object's group and kind select rows of a table (builtin.go); a row's pattern is laid over the object's tree and
// yields slots, one for each list of tolerations, with the place of the affinity beside it (slot.go). A List is opened
// and its items are carriers in their own right. What a kind does not say itself, as a HelmRelease does not say where
// its chart keeps tolerations, comes from the intent (helm.go).
//
// Another kind is another row. The package reads trees and changes nothing.
package podspec
