// Package golden holds what a test got against a file that was reviewed: the golden file. `go test PACKAGE -update`
// writes what the tests got into the files instead, for a review of the difference.
//
// Only tests import it: it adds a flag to the program.
package golden
