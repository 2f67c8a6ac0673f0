package v1alpha1

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
)

var (
	pciID       = regexp.MustCompile(`^0x[0-9a-f]{4}$`)
	driverName  = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
	usbID       = regexp.MustCompile(`^[0-9a-f]{4}$`)
	permissions = regexp.MustCompile(`^r?w?m?$`)
)

func (v *pluginValidator) selector() {
	s := v.plugin.Spec.Select
	if s == nil {
		return
	}
	for _, list := range []struct {
		name string
		ids  []string
	}{{"vendors", s.Vendors}, {"devices", s.Devices}, {"exclude", s.Exclude}} {
		at := "spec.select." + list.name
		v.unique(at, list.ids)
		for i, id := range list.ids {
			if !pciID.MatchString(id) {
				v.fail(strict.Item(at, i), "%q is no PCI id: write 0x and four lower-case hexadecimal digits, in quotes", id)
			}
		}
	}
	for i, pattern := range s.Addresses {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			v.fail(strict.Item("spec.select.addresses", i), "%q is no PCI address: write 0000:03:00.0, or a pattern such as 0000:03:*", pattern)
		}
	}
	for i, driver := range s.Drivers {
		if !driverName.MatchString(driver) {
			v.fail(strict.Item("spec.select.drivers", i), "%q is no name of a kernel driver: write it as lspci -k does, such as i915", driver)
		}
	}
	if other := slices.IndexFunc(s.Vendors, func(id string) bool { return id != IntelVendor }); other >= 0 && v.plugin.Spec.Resource == "" {
		v.fail(strict.Item("spec.select.vendors", other), "%s is not Intel: give the devices a name of your own with spec.resource", s.Vendors[other])
	}
}

func (v *pluginValidator) devices() {
	spec := v.plugin.Spec
	if spec.Preset == GenericDevices && len(spec.Devices) == 0 {
		v.fail("spec.devices", "is missing: the preset generic offers what is listed there")
	}
	first := map[string]string{}
	for i, d := range spec.Devices {
		at := strict.Item("spec.devices", i)
		v.resourceName(at+".resource", d.Resource)
		if earlier, twice := first[d.Resource]; twice {
			v.fail(at+".resource", "%s was listed before, %s: put its groups into one entry", d.Resource, v.origin.Where(earlier))
		} else {
			first[d.Resource] = at + ".resource"
		}
		if len(d.Groups) == 0 {
			v.fail(at+".groups", "lists nothing: describe at least one device")
		}
		for j, group := range d.Groups {
			v.group(strict.Item(at+".groups", j), group)
		}
	}
}

func (v *pluginValidator) group(at string, group DeviceGroup) {
	if len(group.Members) == 0 {
		v.fail(at+".members", "lists nothing: name at least one device node")
		return
	}
	counted := false
	for i, m := range group.Members {
		v.member(strict.Item(at+".members", i), m)
		counted = counted || m.Type != BindMount && !m.Optional
	}
	if !counted {
		v.fail(at+".members", "has no device that is not optional, so that there is nothing to count")
	}
}

func (v *pluginValidator) member(at string, m DeviceMember) {
	mount := m.Type == BindMount
	switch {
	case (m.Path == "") == (m.USB == nil):
		v.fail(at, "write either path or usb")
	case m.USB != nil && mount:
		v.fail(at+".type", "a USB device cannot be a Mount")
	case m.USB != nil:
		v.usb(at+".usb", *m.USB)
	default:
		v.hostPath(at+".path", m.Path)
		v.visible(at, m, mount)
	}
	if m.Type != "" {
		v.oneOf(at+".type", string(m.Type), string(DeviceNode), string(BindMount))
	}
	v.handing(at, m, mount)
}

// visible checks that the plugin can look for a member: it sees the node's /dev and /sys and nothing else. A mount that is
// named exactly is handed out without a look.
func (v *pluginValidator) visible(at string, m DeviceMember, mount bool) {
	switch {
	case strings.HasPrefix(m.Path, "/dev/"):
	case !mount && path.IsAbs(m.Path):
		v.fail(at+".path", "%q is not below /dev: the plugin sees no other device nodes; write type: Mount for a file or a folder", m.Path)
	case mount && (m.Optional || strings.ContainsAny(m.Path, "*?[")):
		v.fail(at+".path", "%q cannot be looked for: the plugin sees /dev alone, so write the exact path and leave optional out", m.Path)
	}
}

// handing checks how the member gets into the container.
func (v *pluginValidator) handing(at string, m DeviceMember, mount bool) {
	switch {
	case mount && m.Permissions != "":
		v.fail(at+".permissions", "a Mount has none: write readOnly: true where it is only read")
	case !mount && m.ReadOnly:
		v.fail(at+".readOnly", "is of a Mount: write permissions: r")
	case !permissions.MatchString(m.Permissions):
		v.fail(at+".permissions", "%q: write r, w and m, in this order", m.Permissions)
	}
	if m.MountPath == "" {
		return
	}
	if !mount && strings.HasPrefix(m.Path, "/dev/dri/") {
		v.fail(at+".mountPath", "a GPU's node keeps its name: libdrm finds the device by the number in it")
	}
	v.hostPath(at+".mountPath", m.MountPath)
}

// hostPath checks an absolute path or a pattern of one.
func (c *collector) hostPath(at, p string) {
	trimmed := strings.TrimSuffix(p, "/")
	if !c.resolved(at, p) {
		return
	}
	if !path.IsAbs(p) || path.Clean(trimmed) != trimmed || trimmed == "" {
		c.fail(at, "%q: write an absolute path without . and .., such as /dev/dri", p)
	} else if _, err := path.Match(p, ""); err != nil {
		c.fail(at, "%q is no pattern: * stands for any characters, ? for one, [a-z] for one of these", p)
	}
}

func (v *pluginValidator) usb(at string, u USBDevice) {
	if !usbID.MatchString(u.Vendor) {
		v.fail(at+".vendor", "%q: write four lower-case hexadecimal digits, in quotes, as lsusb prints them", u.Vendor)
	}
	if u.Product != "" && !usbID.MatchString(u.Product) {
		v.fail(at+".product", "%q: write four lower-case hexadecimal digits, in quotes, as lsusb prints them", u.Product)
	}
	if u.Node != "" {
		v.oneOf(at+".node", u.Node, "usb", "tty")
	}
}
