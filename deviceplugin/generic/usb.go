package generic

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/deviceplugin/sysfs"
)

const usbDir = "sys/bus/usb/devices"

// matches finds the USB devices by what they say of themselves (ABI/testing/sysfs-bus-usb), and gives their nodes.
func (u USB) matches(fsys fs.FS) ([]match, error) {
	names, err := sysfs.List(fsys, usbDir)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(names, natural)
	var found []match
	for _, name := range names {
		if strings.Contains(name, ":") {
			continue // an interface of a device
		}
		p, err := u.read(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("USB device %s: %w", name, err)
		}
		if !p.is(u) {
			continue
		}
		hits, err := p.nodes(fsys, names, u.Node == "tty")
		if err != nil {
			return nil, fmt.Errorf("USB device %s: %w", name, err)
		}
		found = append(found, hits...)
	}
	return found, nil
}

// plugged is a USB device as the kernel describes it. port is its folder's name: where it is plugged in, 1-2.3.
type plugged struct {
	port, vendor, product, serial string
	bus, number                   string
}

func (u USB) read(fsys fs.FS, port string) (plugged, error) {
	p := plugged{port: port}
	for _, a := range []struct {
		name string
		to   *string
	}{{"idVendor", &p.vendor}, {"idProduct", &p.product}, {"serial", &p.serial}, {"busnum", &p.bus}, {"devnum", &p.number}} {
		text, err := sysfs.Attribute(fsys, path.Join(usbDir, port, a.name))
		if err != nil {
			return p, err
		}
		*a.to = text
	}
	return p, nil
}

func (p plugged) is(u USB) bool {
	return p.vendor == u.Vendor && (u.Product == "" || p.product == u.Product) && (u.Serial == "" || p.serial == u.Serial)
}

// identity follows a device with a serial number from port to port; one without is known by its port.
func (p plugged) identity() string {
	if p.serial == "" {
		return fmt.Sprintf("usb-%s-%s-port-%s", p.vendor, p.product, p.port)
	}
	return fmt.Sprintf("usb-%s-%s-%s", p.vendor, p.product, p.serial)
}

// nodes gives the device's own node, or those of its serial ports. all are the names in usbDir, among them the device's interfaces.
func (p plugged) nodes(fsys fs.FS, all []string, tty bool) ([]match, error) {
	paths := p.busNode()
	if tty {
		var err error
		if paths, err = p.ttys(fsys, all); err != nil {
			return nil, err
		}
	}
	var found []match
	for i, name := range paths {
		_, ok, err := sysfs.Node(fsys, name)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		hit := match{path: "/" + name, identity: p.identity()}
		if len(paths) > 1 {
			hit.identity += "-" + strconv.Itoa(i)
		}
		found = append(found, hit)
	}
	return found, nil
}

func (p plugged) busNode() []string {
	bus, err := strconv.ParseUint(p.bus, 10, 16)
	number, err2 := strconv.ParseUint(p.number, 10, 16)
	if err != nil || err2 != nil {
		return nil
	}
	return []string{fmt.Sprintf("dev/bus/usb/%03d/%03d", bus, number)}
}

// ttys looks for serial ports below the device's interfaces: an ACM device has them in <interface>/tty/ttyACM0, a serial converter in
// <interface>/ttyUSB0.
func (p plugged) ttys(fsys fs.FS, all []string) ([]string, error) {
	var found []string
	for _, name := range all {
		if !strings.HasPrefix(name, p.port+":") {
			continue
		}
		for _, dir := range []string{path.Join(usbDir, name), path.Join(usbDir, name, "tty")} {
			entries, err := sysfs.List(fsys, dir)
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				if strings.HasPrefix(e, "tty") && e != "tty" {
					found = append(found, path.Join("dev", e))
				}
			}
		}
	}
	return found, nil
}
