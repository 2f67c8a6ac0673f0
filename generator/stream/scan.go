package stream

import "bytes"

// chunk is one item of a list as text.
type chunk struct {
	lead []byte // comments and blank lines above the item
	body []byte // from the indentation of its dash to the end of its last line
	line int    // number of body's first line, from 1
}

// layout is a ResourceList cut at its items.
type layout struct {
	head   []byte // up to and with the line "items:"
	items  []chunk
	tail   []byte // everything behind the last item
	indent int    // column of the dashes

	headLines int // lines in head
	tailLine  int // number of tail's first line
}

// scan cuts a ResourceList in block style into its items. It reports false for a shape that it does not know. It only
// looks at the indentation of lines: what stands inside an item is always indented deeper than the item's dash, block
// scalars too. The one exception, a quoted scalar continued at column 0, leaves a chunk that does not parse, and the
// caller then decodes the whole.
func scan(in []byte) (layout, bool) {
	s := scanner{rest: in}
	if !s.findItems() || !s.readItems() {
		return layout{}, false
	}
	return s.out, true
}

type scanner struct {
	rest    []byte
	line    int // number of the line that was cut last
	pending []byte
	out     layout
}

// next cuts one line with its line break off the input.
func (s *scanner) next() []byte {
	end := bytes.IndexByte(s.rest, '\n') + 1
	if end == 0 {
		end = len(s.rest)
	}
	line := s.rest[:end]
	s.rest = s.rest[end:]
	s.line++
	return line
}

func (s *scanner) findItems() bool {
	all := s.rest
	for len(s.rest) > 0 {
		line := s.next()
		if bytes.Equal(bytes.TrimRight(line, " \r\n"), []byte("items:")) {
			s.out.head = all[:len(all)-len(s.rest)]
			s.out.headLines = s.line
			return true
		}
	}
	return false
}

func (s *scanner) readItems() bool {
	s.out.indent = -1
	for len(s.rest) > 0 {
		before := s.rest
		line := s.next()
		switch kind, indent := classify(line, s.out.indent); {
		case kind == lineBlank:
			s.pending = extend(s.pending, before, line)
		case kind == lineDash && (s.out.indent < 0 || indent == s.out.indent):
			s.out.indent = indent
			s.closeItem()
			s.out.items = append(s.out.items, chunk{lead: s.pending, body: line, line: s.line})
			s.pending = nil
		case kind == lineDeep && len(s.out.items) > 0:
			last := &s.out.items[len(s.out.items)-1]
			last.body = last.body[:len(last.body)+len(s.pending)+len(line)]
			s.pending = nil
		case kind == lineTop && len(s.out.items) > 0:
			s.closeItem()
			s.out.tailLine = s.line - bytes.Count(s.pending, []byte("\n"))
			s.out.tail = extend(s.pending, before, before)
			return true
		default:
			return false
		}
	}
	s.closeItem()
	s.out.tail, s.out.tailLine = s.pending, s.line
	return len(s.out.items) > 0
}

// closeItem gives the blank lines that follow an item to it: they may be the end of a block scalar that keeps them.
func (s *scanner) closeItem() {
	if len(s.out.items) == 0 {
		return
	}
	blank := 0
	for blank < len(s.pending) {
		end := bytes.IndexByte(s.pending[blank:], '\n') + 1
		if end == 0 {
			end = len(s.pending) - blank
		}
		if len(bytes.TrimSpace(s.pending[blank:blank+end])) > 0 {
			break
		}
		blank += end
	}
	last := &s.out.items[len(s.out.items)-1]
	last.body = last.body[:len(last.body)+blank]
	s.pending = s.pending[blank:]
}

// extend returns the bytes of pending and line, which lie side by side in the input.
func extend(pending, before, line []byte) []byte {
	if len(pending) == 0 {
		return before[:len(line)]
	}
	return pending[:len(pending)+len(line)]
}

type lineKind int

const (
	lineOdd   lineKind = iota // nothing that a list in block style has
	lineBlank                 // blank, or a comment no deeper than the dashes
	lineDash                  // starts an item
	lineDeep                  // goes on with an item
	lineTop                   // a key of the ResourceList itself, or a document marker
)

// classify says what a line is in a list whose dashes stand at column dash (-1: not known yet).
func classify(line []byte, dash int) (lineKind, int) {
	text := bytes.TrimLeft(line, " ")
	indent := len(line) - len(text)
	text = bytes.TrimRight(text, "\r\n")
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return lineBlank, indent
	case dash >= 0 && indent > dash:
		return lineDeep, indent
	case text[0] == '#':
		return lineBlank, indent
	case text[0] == '-' && (len(text) == 1 || text[1] == ' '):
		return lineDash, indent
	case indent == 0 && text[0] != '\t':
		return lineTop, indent
	}
	return lineOdd, indent
}
