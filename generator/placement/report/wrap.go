package report

import (
	"strings"
	"unicode/utf8"
)

// width is how many columns text may take.
const width = 80

// wrap breaks text at spaces into lines of at most width columns. The first line follows what stands there already;
// the others are indented. A word that is longer than a line is not broken, so that it can be copied.
func wrap(first string, indent int, text string) string {
	var b strings.Builder
	b.WriteString(first)
	column := utf8.RuneCountInString(first)
	fresh := true
	for _, word := range strings.Fields(text) {
		length := utf8.RuneCountInString(word)
		if !fresh && column+1+length > width {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column, fresh = indent, true
		}
		if !fresh {
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += length
		fresh = false
	}
	return b.String() + "\n"
}

func pad(text string, to int) string {
	return text + strings.Repeat(" ", max(0, to-utf8.RuneCountInString(text)))
}
