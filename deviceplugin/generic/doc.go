// Package generic finds devices that are described rather than known: serial sticks, Coral and NPU accelerators, cameras, /dev/kvm.
//
// A Group lists members. A member is a pattern for device nodes, a USB device by vendor, product and serial number, or a path to bind
// mount. Members whose pattern matches several things pair up by their order: the first match of each makes the first device, the
// second match of each the second, up to the shortest list. A member that names one file is part of every device, and an optional
// member that is not there is left out.
//
// Devices reads sys and dev and gives a device.Device for each. No node is opened.
package generic
