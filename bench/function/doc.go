// Command function measures the KRM function as a host runs it: whole processes, in turn with an identity function on
// kyaml's framework, on the same ResourceList. It builds both, makes the input, runs each several times and prints
// medians and their ratio: wall time, processor time and peak memory. Ratios of one run hold where single times do not.
package main
