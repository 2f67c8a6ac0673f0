// Command identity is a KRM function that changes nothing, built on kyaml's own framework: what the function in
// functions/berth is measured against.
package main
