// Command bench measures berth-device-plugin, and beside it, in the same run, a program that does nothing but serve the five methods
// and register (package floor): what Go and gRPC cost by themselves. It prints both, and their ratio, as a table for
// docs/benchmarks-device-plugin.md, and exits with 1 if a number is beyond its limit.
//
// The kubelet is package kubelettest in this process; the GPU is made up, and its nodes are links to /dev/null.
package main
