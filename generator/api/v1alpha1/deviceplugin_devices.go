package v1alpha1

// GPUSelector picks GPUs. Each list that is not empty must hold a match.
type GPUSelector struct {
	// Vendors are PCI vendors, such as "0x8086". Default: Intel's.
	Vendors []string `json:"vendors,omitempty" jsonschema:"uniqueItems=true"`
	// Devices are PCI devices, such as "0x56a0".
	Devices []string `json:"devices,omitempty" jsonschema:"uniqueItems=true"`
	// Exclude are PCI devices that are left out.
	Exclude []string `json:"exclude,omitempty" jsonschema:"uniqueItems=true"`
	// Addresses are PCI addresses, such as "0000:03:00.0", or patterns, such as "0000:03:*".
	Addresses []string `json:"addresses,omitempty" jsonschema:"uniqueItems=true"`
	// Drivers are kernel drivers, such as i915 and xe.
	Drivers []string `json:"drivers,omitempty" jsonschema:"uniqueItems=true"`
}

// DeviceResource is one resource of the preset generic, and the devices that are counted under it.
type DeviceResource struct {
	// Resource is the name that pods request: a domain of your own, a slash and a name.
	Resource string `json:"resource" jsonschema:"maxLength=308,pattern=^[-.a-z0-9]+/[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$"`
	// Groups are the devices. Each group is one device, or one for each match of its patterns.
	Groups []DeviceGroup `json:"groups" jsonschema:"minItems=1"`
}

// DeviceGroup is a device with all its parts.
type DeviceGroup struct {
	// Members are the parts that a container gets together.
	Members []DeviceMember `json:"members" jsonschema:"minItems=1"`
}

// DeviceMember is one part of a device: either path or usb.
type DeviceMember struct {
	// Path is absolute, such as /dev/ttyACM0, or a pattern, such as /dev/apex_*.
	Path string `json:"path,omitempty" jsonschema:"pattern=^/[^/]"`
	// USB finds the node by what the device says of itself, wherever it is plugged in.
	USB *USBDevice `json:"usb,omitempty"`
	// Type is Device (a device node, with the right to open it) or Mount (a bind mount, which gives no such right).
	// Default: Device.
	Type MemberType `json:"type,omitempty" jsonschema:"enum=Device,enum=Mount,default=Device"`
	// MountPath is the path in the container. Default: the one on the node.
	MountPath string `json:"mountPath,omitempty" jsonschema:"pattern=^/[^/]"`
	// Permissions are of the device cgroup: r, w and m, in this order. Default: rw.
	Permissions string `json:"permissions,omitempty" jsonschema:"pattern=^r?w?m?$"`
	// ReadOnly is of a Mount.
	ReadOnly bool `json:"readOnly,omitempty"`
	// Optional is for a part without which the device is still worth having.
	Optional bool `json:"optional,omitempty"`
}

// MemberType says how a part gets into the container.
type MemberType string

// The types of a member.
const (
	DeviceNode MemberType = "Device"
	BindMount  MemberType = "Mount"
)

// USBDevice says which USB devices are meant.
type USBDevice struct {
	// Vendor is four lower-case hexadecimal digits, as lsusb prints them.
	Vendor string `json:"vendor" jsonschema:"pattern=^[0-9a-f]{4}$"`
	// Product is the same. Left out, it is any.
	Product string `json:"product,omitempty" jsonschema:"pattern=^[0-9a-f]{4}$"`
	// Serial is the serial number, exactly. Left out, it is any.
	Serial string `json:"serial,omitempty"`
	// Node is usb (the node in /dev/bus/usb) or tty (the serial port). Default: usb.
	Node string `json:"node,omitempty" jsonschema:"enum=usb,enum=tty,default=usb"`
}
