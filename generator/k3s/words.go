package k3s

import (
	"strconv"
	"strings"
)

// word is one argument of a command line.
type word struct {
	text string
	line int
	// unknown is set when the text depends on what only the running machine knows.
	unknown bool
}

// wordReader splits text at white space, honouring quotes. Shell-word libraries give no lines and read the shell's
// escapes, which are not systemd's.
type wordReader struct {
	rest    string
	line    int
	escapes bool // read systemd's C-style escapes (systemd.syntax(7)); else a backslash is a character like any other
	words   []word
}

// splitWords splits the value of a systemd setting. Line is where the text begins; a newline in it counts.
func splitWords(text string, line int, escapes bool) []word {
	r := &wordReader{rest: text, line: line, escapes: escapes}
	for r.skipSpace() {
		r.words = append(r.words, r.next())
	}
	return r.words
}

// skipSpace reports whether something follows.
func (r *wordReader) skipSpace() bool {
	for i := range len(r.rest) {
		if !isSpace(r.rest[i]) {
			r.rest = r.rest[i:]
			return true
		}
		if r.rest[i] == '\n' {
			r.line++
		}
	}
	r.rest = ""
	return false
}

// isSpace knows systemd's white space. Unicode's would split inside a multi-byte character.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (r *wordReader) next() word {
	w := word{line: r.line}
	var text strings.Builder
	var quote byte
	for r.rest != "" {
		c := r.rest[0]
		switch {
		case quote == 0 && isSpace(c):
			w.text = text.String()
			return w
		case c == quote || quote == 0 && (c == '"' || c == '\''):
			quote ^= c // opens or closes
			r.rest = r.rest[1:]
		case c == '\\' && r.escapes:
			text.WriteString(r.escape())
		default:
			text.WriteByte(r.char())
		}
	}
	w.text = text.String()
	return w
}

func (r *wordReader) char() byte {
	c := r.rest[0]
	if c == '\n' {
		r.line++
	}
	r.rest = r.rest[1:]
	return c
}

// escape takes one escape sequence. One that does not exist stands for itself, as in systemd.
func (r *wordReader) escape() string {
	for sequence, c := range map[string]string{`\s`: " ", `\"`: `"`, `\'`: "'"} {
		if rest, ok := strings.CutPrefix(r.rest, sequence); ok {
			r.rest = rest
			return c
		}
	}
	if c, _, rest, err := strconv.UnquoteChar(r.rest, 0); err == nil {
		r.rest = rest
		return string(c)
	}
	r.rest = r.rest[1:]
	return `\`
}
