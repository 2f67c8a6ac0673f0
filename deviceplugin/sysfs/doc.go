// Package sysfs reads what the kernel says about devices, from a file system whose root stands for "/".
//
// The kernel's attributes are small text files and its relations are symbolic links. An attribute that does not exist is an answer;
// an attribute that cannot be read is not, and the two are kept apart: the caller must not take a passing error for a device that
// went away. No function opens a device node.
package sysfs
