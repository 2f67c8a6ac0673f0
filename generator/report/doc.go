// Package report writes the findings of a check for people and machines.
//
// New makes the Writer of a format, one small file each: text.go, json.go, sarif.go, junit.go, github.go. Print hands it
// every finding, in order, and then the result, for what a format says at its end: the summary, what could not be seen. Output
// depends on the result alone, to the byte.
package report
