package drm

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Selector picks cards. Each list that is not empty must hold a match; an empty selector picks every card. A card that has virtual
// functions is never picked: they stand in for it.
type Selector struct {
	Vendors   []string `yaml:"vendors,omitempty"`   // PCI vendors: "0x8086"
	Devices   []string `yaml:"devices,omitempty"`   // PCI devices: "0x56a0"
	Exclude   []string `yaml:"exclude,omitempty"`   // PCI devices that are not picked
	Addresses []string `yaml:"addresses,omitempty"` // "0000:03:00.0", or a pattern as in path.Match: "0000:03:*"
	Drivers   []string `yaml:"drivers,omitempty"`   // "i915", "xe", "amdgpu"
}

var driverName = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// Validate reports the first value that can match nothing.
func (s Selector) Validate() error {
	for field, ids := range map[string][]string{"vendors": s.Vendors, "devices": s.Devices, "exclude": s.Exclude} {
		for _, id := range ids {
			if !pciID.MatchString(id) {
				return fmt.Errorf("%s: %q is not a PCI id: write 0x and four lower-case hexadecimal digits, in quotes", field, id)
			}
		}
	}
	for _, pattern := range s.Addresses {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			return fmt.Errorf("addresses: %q is not an address or a pattern: write 0000:03:00.0 or 0000:03:*", pattern)
		}
	}
	for _, driver := range s.Drivers {
		if !driverName.MatchString(driver) {
			return fmt.Errorf("drivers: %q is not the name of a kernel driver", driver)
		}
	}
	return nil
}

// Matches reports whether the selector picks the card.
func (s Selector) Matches(c Card) bool {
	return c.VFs == 0 &&
		anyOf(s.Vendors, c.VendorID) &&
		anyOf(s.Devices, c.DeviceID) &&
		!slices.Contains(s.Exclude, c.DeviceID) &&
		(len(s.Addresses) == 0 || slices.ContainsFunc(s.Addresses, func(p string) bool { ok, _ := path.Match(p, c.Address); return ok })) &&
		anyOf(s.Drivers, c.Driver)
}

func anyOf(list []string, value string) bool {
	return len(list) == 0 || slices.Contains(list, value)
}

// String says what is looked for, in the words of a log line.
func (s Selector) String() string {
	var parts []string
	for _, p := range []struct {
		name   string
		values []string
	}{{"vendor", s.Vendors}, {"device", s.Devices}, {"not device", s.Exclude}, {"address", s.Addresses}, {"driver", s.Drivers}} {
		if len(p.values) > 0 {
			parts = append(parts, p.name+" "+strings.Join(p.values, " or "))
		}
	}
	if len(parts) == 0 {
		return "any GPU"
	}
	return "a GPU with " + strings.Join(parts, ", ")
}
