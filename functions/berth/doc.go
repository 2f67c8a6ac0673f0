// Command berth decides which workload may dock at which node, from files in Git.
//
// Started by kustomize or kpt, with a ResourceList on standard input and no arguments, it is the KRM function
// (function.go). From a shell it is the command line: main.go builds the root command, and each subcommand stands in a
// file of its own that reads flags and files, calls the domain packages below generator/, and prints what they return.
package main
