// Package metrics counts what happens, and says it in the text format of Prometheus.
//
// The format is written here, and read back in the tests by Prometheus's own parser. The client library would be the usual choice; it
// adds a megabyte of resident memory to a process whose floor is eight, on every node, for a dozen numbers.
package metrics
