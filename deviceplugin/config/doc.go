// Package config is what a person may set: flags, environment variables and a YAML file, one of each for every setting.
//
// Load takes the command line, the environment and a way to read files, and gives a Config that is complete and valid, or an error
// that says where it went wrong. A flag stands before the environment, and the environment before the file. An unknown key, flag or
// variable is an error, not a surprise later on.
//
// Flags are spelt as those of Intel's GPU plugin where that has them. Without a list of resources they describe one that behaves as
// Intel's does: gpu.intel.com/i915 and gpu.intel.com/xe.
package config
