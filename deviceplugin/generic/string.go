package generic

import "strings"

// String says what the group looks for, in the words of a log line.
func (g Group) String() string {
	parts := make([]string, 0, len(g.Members))
	for _, m := range g.Members {
		if !m.Optional && !m.taken() {
			parts = append(parts, m.String())
		}
	}
	return strings.Join(parts, " and ")
}

// String names the member.
func (m Member) String() string {
	if m.USB == nil {
		return m.Path
	}
	text := "USB device " + m.USB.Vendor
	if m.USB.Product != "" {
		text += ":" + m.USB.Product
	}
	if m.USB.Serial != "" {
		text += " serial " + m.USB.Serial
	}
	return text
}
