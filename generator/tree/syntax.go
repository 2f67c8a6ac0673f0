package tree

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	yamlError     = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// SyntaxFault says where a text stops to be YAML, from 1 (0 when nobody knows), and why, with advice where the
// library's own words give none.
func SyntaxFault(data []byte, err error) (line int, message string) {
	message = err.Error()
	if match := yamlError.FindStringSubmatch(message); match != nil {
		line, _ = strconv.Atoi(match[1])
		message = match[2]
	}
	if line == 0 {
		line = lineWithoutNumber(data, message)
	} else if strings.HasPrefix(message, "did not find expected") {
		line++ // the library counts the lines of its parser's errors from 0, and those of its scanner from 1
	}
	return line, "this is not YAML: " + message + advice(message)
}

// lineWithoutNumber finds the line of an error that comes without one: at a character, at an alias, or on the first line.
func lineWithoutNumber(data []byte, message string) int {
	if match := unknownAnchor.FindStringSubmatch(message); match != nil {
		return lineAt(data, bytes.Index(data, []byte("*"+match[1])))
	}
	if strings.Contains(message, "UTF-") || strings.Contains(message, "control characters") {
		return lineAt(data, bytes.IndexFunc(data, isNoYAML))
	}
	return 1
}

// isNoYAML tells whether a character must not stand in a YAML file (YAML 1.2, production c-printable).
func isNoYAML(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r)
}

// lineAt is the line of an offset, or 0 for none.
func lineAt(data []byte, offset int) int {
	if offset < 0 {
		return 0
	}
	return 1 + bytes.Count(data[:offset], []byte("\n"))
}

// advice says where to look, where the library's own words do not.
func advice(message string) string {
	switch {
	case strings.HasSuffix(message, "expected key"), strings.HasSuffix(message, "'-' indicator"):
		return "; look at the indentation and the quotes on this line and in the block that it begins"
	case strings.HasSuffix(message, "cannot start any token"):
		return "; indent with spaces, not tabs, and quote text that begins with @ or `"
	case strings.HasPrefix(message, "mapping values are not allowed"):
		return "; quote text with a colon and a space in it, and look at the indentation"
	}
	return ""
}
