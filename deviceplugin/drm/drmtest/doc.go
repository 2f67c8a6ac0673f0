// Package drmtest makes up the sysfs trees of GPUs for tests, as the kernel lays them out: a folder for the PCI device, links to it from
// sys/class/drm, and nodes in dev/dri.
//
// A Tree is a file system in memory. Write puts it on disk for tests of whole programs.
package drmtest
