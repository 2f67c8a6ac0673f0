// Package drm finds GPUs: whatever has a folder in sys/class/drm, of any vendor and driver.
//
// Cards reads the tree and gives a Card for each GPU. A Selector picks among them, and Card.Device turns one into what a container is
// given: its card and render nodes under the names they have on the host, an environment variable with the render node's path, and
// links in dev/dri/by-path. A render node is never renamed: libdrm finds the device by the number in the name. Control nodes are
// never handed out, and no device is ever opened.
//
// The rules are those of the kernel's documentation (ABI/testing/sysfs-bus-pci, sysfs-class-drm) and, for what a user of Intel's GPU
// plugin relies on, that plugin's README.
package drm
