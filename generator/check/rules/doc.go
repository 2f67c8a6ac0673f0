// Package rules holds what berth check knows to be wrong: one rule in each file, named by its code.
//
// All lists them (all.go), by group. A rule looks at one environment through a check.Pass and reports findings; it builds
// nothing and reads no file that the pass does not give it. Each has a repository that it finds nothing in and one that it
// finds something in, below testdata. A rule that is not sure reports a warning.
package rules
