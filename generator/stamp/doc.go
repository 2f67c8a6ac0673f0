// Package stamp makes the ConfigMaps that the KRM function adds to a render: one for each node with its drop-in, and
// one with the intent's digest.
//
// kustomize skips an exec function without a word when --enable-exec is missing, and exits 0. The record is the proof
// that the function ran, and on which intent: whoever reads the render later compares its digest with the intent's.
// Add puts the ConfigMaps among the items of a render, and brings up to date those that an earlier run left there.
package stamp
