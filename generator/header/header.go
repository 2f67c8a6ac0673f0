package header

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Prefix begins the first line of a header.
const Prefix = "# Written by berth: "

const intentPrefix = "#   intent: "

// New returns the lines of a header: what the file is, the names of the intents that it was written for, and more lines
// that a reader should know, each without its #.
func New(what string, intents []string, more ...string) string {
	return write(what, intents, "", more)
}

// ForNode is New for a file of one node, which stands beside the intent, where one looks for it.
func ForNode(what, intent, node string, more ...string) string {
	return write(what, []string{intent}, "#   node:   "+node+"\n", more)
}

func write(what string, intents []string, node string, more []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s.\n", Prefix, what)
	for _, intent := range intents {
		fmt.Fprintf(&b, "%s%s\n", intentPrefix, intent)
	}
	b.WriteString(node)
	b.WriteString("# Do not edit. Change the intent and run `berth generate` again.\n")
	for _, line := range more {
		b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
	}
	return b.String()
}

// IsOurs says whether a file carries a header, behind a byte order mark or the line that names a script's interpreter.
func IsOurs(content []byte) bool {
	return bytes.HasPrefix(body(content), []byte(Prefix))
}

// Intents returns the names of the intents that a file was written for.
func Intents(content []byte) []string {
	var names []string
	for line := range bytes.Lines(body(content)) {
		if !bytes.HasPrefix(line, []byte("#")) {
			break
		}
		if name, ok := bytes.CutPrefix(line, []byte(intentPrefix)); ok {
			names = append(names, string(bytes.TrimSpace(name)))
		}
	}
	slices.Sort(names)
	return names
}

func body(content []byte) []byte {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if bytes.HasPrefix(content, []byte("#!")) {
		_, content, _ = bytes.Cut(content, []byte("\n"))
	}
	return content
}
