package generic

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Group describes devices that are made of the same members.
type Group struct {
	Members []Member `yaml:"members"`
}

// Kind says how a member gets into the container.
type Kind string

// The kinds.
const (
	KindDevice Kind = "Device" // a device node, with the right to open it
	KindMount  Kind = "Mount"  // a bind mount, for files, folders and sockets; it gives no right to open a device
)

// Member is one part of a device. Either Path or USB is set.
type Member struct {
	// Path is an absolute path, or a pattern as in path.Match ("/dev/apex_*"). A link, such as one in /dev/serial/by-id, is handed
	// out under its own name, so that a container that starts again finds the stick wherever it is plugged in then.
	Path string `yaml:"path,omitempty"`
	USB  *USB   `yaml:"usb,omitempty"`
	// Type is Device (the default) or Mount. A Mount without a pattern that is not optional is not looked for: the plugin need not
	// see that part of the host.
	Type Kind `yaml:"type,omitempty"`
	// MountPath is the path in the container; by default the one on the host. With a slash at the end it is a folder.
	MountPath string `yaml:"mountPath,omitempty"`
	// Permissions are those of the device cgroup: r, w and m (make a node). The default is rw.
	Permissions string `yaml:"permissions,omitempty"`
	ReadOnly    bool   `yaml:"readOnly,omitempty"` // of a Mount
	Optional    bool   `yaml:"optional,omitempty"`
}

// USB says which USB devices are meant, and which of their nodes.
type USB struct {
	Vendor  string `yaml:"vendor"`            // four lower-case hexadecimal digits, as lsusb prints them
	Product string `yaml:"product,omitempty"` // the same; any if empty
	Serial  string `yaml:"serial,omitempty"`  // exactly; any if empty
	// Node is usb for the node in /dev/bus/usb (the default), or tty for the serial port (/dev/ttyUSB0, /dev/ttyACM0).
	Node string `yaml:"node,omitempty"`
}

var (
	usbID       = regexp.MustCompile(`^[0-9a-f]{4}$`)
	permissions = regexp.MustCompile(`^r?w?m?$`)
)

// Validate says what is wrong with the group, if anything is.
func (g Group) Validate() error {
	if len(g.Members) == 0 {
		return fmt.Errorf("members: a group needs at least one")
	}
	required := false
	for i, m := range g.Members {
		if err := m.validate(); err != nil {
			return fmt.Errorf("members[%d]: %w", i, err)
		}
		required = required || m.Type != KindMount && !m.Optional
	}
	if !required {
		return fmt.Errorf("members: at least one must be a device that is not optional, or there is nothing to count")
	}
	return nil
}

func (m Member) validate() error {
	switch {
	case (m.Path == "") == (m.USB == nil):
		return fmt.Errorf("set either path or usb")
	case m.USB != nil && m.Type == KindMount:
		return fmt.Errorf("a usb member cannot be a Mount")
	case m.USB != nil:
		if err := m.USB.validate(); err != nil {
			return fmt.Errorf("usb: %w", err)
		}
	default:
		if err := validatePath("path", strings.TrimSuffix(m.Path, "/")); err != nil {
			return err
		}
	}
	return m.validateHanding()
}

// validateHanding looks at how the member gets into the container.
func (m Member) validateHanding() error {
	mount := m.Type == KindMount
	switch {
	case m.Type != "" && m.Type != KindDevice && !mount:
		return fmt.Errorf("type: %q: use Device or Mount", m.Type)
	case mount && m.Permissions != "":
		return fmt.Errorf("permissions: a Mount has none: use readOnly")
	case !mount && m.ReadOnly:
		return fmt.Errorf("readOnly: only a Mount can be: use permissions: r")
	case !permissions.MatchString(m.Permissions):
		return fmt.Errorf("permissions: %q: use r, w and m, in this order", m.Permissions)
	case m.MountPath == "":
		return nil
	}
	return m.validateMountPath(mount)
}

func (m Member) validateMountPath(mount bool) error {
	if !mount && strings.HasPrefix(m.Path, "/dev/dri/") {
		return fmt.Errorf("mountPath: a GPU's node keeps its name: libdrm finds the device by the number in it")
	}
	if strings.ContainsAny(m.MountPath, `*?[\`) {
		return fmt.Errorf("mountPath: %q cannot be a pattern", m.MountPath)
	}
	return validatePath("mountPath", strings.TrimSuffix(m.MountPath, "/"))
}

func validatePath(field, p string) error {
	if !path.IsAbs(p) || path.Clean(p) != p || p == "/" {
		return fmt.Errorf("%s: %q is not an absolute, clean path", field, p)
	}
	if _, err := path.Match(p, ""); err != nil {
		return fmt.Errorf("%s: %q is not a pattern that path.Match understands", field, p)
	}
	return nil
}

func (u USB) validate() error {
	if !usbID.MatchString(u.Vendor) {
		return fmt.Errorf("vendor: %q: write four lower-case hexadecimal digits, in quotes", u.Vendor)
	}
	if u.Product != "" && !usbID.MatchString(u.Product) {
		return fmt.Errorf("product: %q: write four lower-case hexadecimal digits, in quotes", u.Product)
	}
	if u.Node != "" && u.Node != "usb" && u.Node != "tty" {
		return fmt.Errorf("node: %q: use usb or tty", u.Node)
	}
	return nil
}
