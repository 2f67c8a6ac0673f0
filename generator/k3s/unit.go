package k3s

import (
	"strings"
)

// setting is one assignment of a systemd unit.
type setting struct {
	section, name string
	// value is the text after =, continuation lines joined with a newline, so that lines can be counted in it.
	value string
	line  int
}

// parseUnit reads the settings of a unit or of a drop-in of one, by the rules of systemd.syntax(7): a backslash at the
// end of a line joins it with the next, comment lines may stand in between, and sections are kept apart. A library
// would do but for the lines, which every finding needs.
func parseUnit(content []byte) []setting {
	var settings []setting
	var section string
	var open bool // the last setting goes on
	for i, line := range strings.Split(string(content), "\n") {
		line = strings.TrimRight(line, " \t\r")
		trimmed := strings.TrimLeft(line, " \t")
		if comment(trimmed) {
			if open {
				last(settings).value += "\n"
			}
			continue
		}
		text, goesOn := strings.CutSuffix(line, `\`)
		switch {
		case open:
			last(settings).value += "\n" + text
		case strings.HasPrefix(trimmed, "["):
			section = strings.Trim(trimmed, "[]")
			goesOn = false
		default:
			name, value, ok := strings.Cut(text, "=")
			if !ok {
				goesOn = false
				break
			}
			settings = append(settings, setting{section, strings.TrimSpace(name), strings.TrimLeft(value, " \t"), i + 1})
		}
		open = goesOn
	}
	return settings
}

func last(settings []setting) *setting { return &settings[len(settings)-1] }

func comment(line string) bool {
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";")
}

// isUnit tells a unit from a shell script.
func isUnit(content []byte) bool {
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		if line != "" && !comment(line) {
			return strings.HasPrefix(line, "[")
		}
	}
	return false
}
